/** Every word that the page says, in English. Another language is another file with the same keys. */

export const words = {
  app: 'Clew',
  seats: ['Blue', 'Red', 'Gold', 'Green', 'Wine', 'White'],
  you: 'You',
  your: 'your',
  board: 'Board',
  hand: 'Your hand',
  score: 'Score',
  pile: 'Pile',
  deck: 'Deck',
  yourTurn: 'Your turn',
  turnOf: (name: string) => `${name}’s turn`,
  over: 'The game is over',

  palaces: {
    names: { K: 'Knossos', M: 'Malia', P: 'Phaistos', Z: 'Zakros' } as Record<string, string>,
    card: (palace: string, kind: string) =>
      kind === 'A' ? `Ariadne of ${palace}` : kind === 'X' ? `Minotaur of ${palace}` : `${palace} ${kind}`,
    only: 'can only be discarded',
    chosen: 'chosen',
    path: (palace: string) => `Path to ${palace}`,
    step: (step: number, points: number) => `Step ${step}, ${points} points`,
    closed: 'closed dig site',
    rare: { K: 'Minos ring', M: 'Malia jewel', P: 'Phaistos disc', Z: 'Zakros rhyton' } as Record<string, string>,
    find: (kind: string, letter: string) =>
      kind === 'statue'
        ? 'a statue was found here'
        : kind === 'rare'
          ? `the ${words.palaces.rare[letter]} was found here`
          : `fresco worth ${kind.slice(6)}`,
    archaeologist: 'archaeologist',
    theseus: 'Theseus',
    pawn: (who: string, pawn: string) => `${who} ${pawn}`,
    advance: (card: string, step: number) => `Play ${card}: advance to step ${step}`,
    send: (card: string, pawn: string) => `Play ${card}: send ${pawn}`,
    attack: (card: string) => `Play ${card}: attack`,
    discard: (card: string) => `Discard ${card}`,
    discards: 'Discards',
    discardHere: 'Discard',
    lastCard: (card: string) => `last card ${card}`,
    noCards: 'no card yet',
    statues: 'Statues',
    statuesOf: (count: number, points: number) => `${count} statues count ${points}`,
    rares: 'Rare finds',
    frescoes: 'Frescoes',
    steps: 'Steps',
    pile: (left: number) => `${left} cards in the pile`,
    twice: 'Theseus counts twice',
    left: (a: number, t: number) => `${a} archaeologists${t ? ' and Theseus' : ''} at home`,
  },
};
