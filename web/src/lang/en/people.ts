/** How sentences speak of people: by name, or as "you". */

export const YOU = 'You';
/** Who looks is called "You" among the names, perhaps with a bot in the chair. */
export const isYou = (name: string) => name === YOU || name.startsWith(`${YOU} (`);
export const whose = (name: string) => (isYou(name) ? 'Your' : `${name}’s`);
export const inside = (name: string) => (isYou(name) ? 'you' : name);
