// The peer of bench/server.py: boardgame.io's own server, in memory, with a card game for two that has secrets.
// It is about as large as The Lost Palaces and simpler: whatever card is played either goes on a path or aside.

const { Server } = require('boardgame.io/server');
const { PlayerView } = require('boardgame.io/core');

const SUITS = ['K', 'M', 'P', 'Z'];
const HAND = 8;

const paths = {
  name: 'paths',
  minPlayers: 2,
  maxPlayers: 2,
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },

  setup: ({ random }) => {
    const cards = SUITS.flatMap((suit) => Array.from({ length: 15 }, (_, i) => `${suit}${1 + (i % 10)}`));
    const deck = random.Shuffle(cards);
    const sites = random.Shuffle(SUITS.flatMap(() => [0, 10, 15, 20]));
    return {
      secret: { deck: deck.slice(2 * HAND), sites },
      players: { 0: { hand: deck.slice(0, HAND) }, 1: { hand: deck.slice(HAND, 2 * HAND) } },
      paths: SUITS.map((suit) => ({
        suit,
        sites: [null, null, null, null],
        pawns: [0, 1].map(() => ({ step: 0, last: 0, cards: [] })),
      })),
      discards: [],
      pile: deck.length - 2 * HAND,
      scores: [0, 0],
    };
  },

  moves: {
    play: {
      client: false, // a draw is for the server
      move: ({ G, playerID }, index) => {
        const hand = G.players[playerID].hand;
        if (!Number.isInteger(index) || index < 0 || index >= hand.length) return 'INVALID_MOVE';
        const [card] = hand.splice(index, 1);
        const path = SUITS.indexOf(card[0]);
        const pawn = G.paths[path].pawns[playerID];
        const value = Number(card.slice(1));
        if (value >= pawn.last) {
          pawn.last = value;
          pawn.step += 1;
          pawn.cards.push(card);
          const site = pawn.step % 4;
          if (G.paths[path].sites[site] === null) {
            G.paths[path].sites[site] = G.secret.sites[4 * path + site];
            G.scores[playerID] += G.paths[path].sites[site];
          }
        } else {
          G.discards.push(card);
        }
        const drawn = G.secret.deck.pop();
        if (drawn !== undefined) hand.push(drawn);
        G.pile = G.secret.deck.length;
      },
    },
  },

  endIf: ({ G }) => (G.pile === 0 ? { scores: G.scores } : undefined),
};

const server = Server({ games: [paths], origins: ['http://127.0.0.1'] });
server.run({ port: Number(process.argv[2]), lobbyConfig: {} });
