/* The Lost Palaces at random, in C: the yardstick for Clew's kernels, and a second opinion on the rules.
 *
 *     palaces GAMES A B C D      (A to D: the four words of the generator, see docs/rng.md)
 *
 * Written from the rule sheet, not from the Python. It deals from the same random numbers and lists moves in the
 * same order (first the moves on the board, then the discards, each by ascending card), so it must play exactly the
 * same games: the sums and the checksum of the scores tell. It keeps what play and scores need and no more: no log
 * of the moves, no views. The seconds are of the processor, for the games alone, so that other programs on the
 * machine do not count.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PALACES = 4, HAND = 8, DECK = 100, PILE = DECK - 2 * HAND, SITES = 5, OTHERS = 16 };
enum { ARIADNE = 11, MINOTAUR = 12 };                     /* kinds of cards after the numbers 1 to 10 */
enum { NOBODY, ARCHAEOLOGIST, THESEUS };
enum { RARE, STATUE, FRESCO15, FRESCO20 };
enum { LAST_STEP = 9, SAFE_STEP = 7, PAWNS_TO_END = 4 };
enum { START_A, START_T, ADVANCE, ATTACK, DISCARD };
enum { MOST_MOVES = 3 * HAND };

static const int step_points[] = {0, -20, -15, -10, 5, 10, 15, 30, 35, 50};                      /* PAL-03 */
static const int statue_points[] = {0, -20, -15, 5, 15, 30, 45, 55, 70, 90, 100};                /* PAL-18 */
static const int rare_points[PALACES] = {25, 25, 35, 25};                                        /* PAL-04 */
static const int8_t site_at[LAST_STEP + 1] = {-1, -1, 0, -1, 1, -1, 2, -1, 3, 4};                /* PAL-04 */

typedef uint8_t Card;                                     /* the palace times 16, and the kind */

typedef struct {
    uint8_t action;
    Card card;
} Move;

typedef struct {
    uint8_t pawn, step, last;                             /* last: the last number card there */
} Walk;

typedef struct {
    Walk path[PALACES];
    Card hand[HAND];                                      /* ascending */
    uint8_t archaeologists, theseus;                      /* left to start with */
    uint8_t statues;
    int16_t finds;                                        /* points of rare finds and photographs */
    bool photographed[PALACES][SITES];
} Player;

typedef struct {
    Player player[2];
    Card pile[PILE];
    uint8_t site[PALACES][SITES];
    bool opened[PALACES][SITES];
    uint8_t turn, drawn;
    uint8_t at_palaces;                                   /* pawns on step 7 or beyond: they never come back */
} Game;

/* Random numbers: xoshiro128** */

typedef struct {
    uint32_t a, b, c, d;
} Random;

static uint32_t rotate(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

static uint32_t next32(Random *r)
{
    uint32_t result = rotate(r->b * 5, 7) * 9;
    uint32_t shifted = r->b << 9;
    r->c ^= r->a;
    r->d ^= r->b;
    r->b ^= r->c;
    r->a ^= r->d;
    r->c ^= shifted;
    r->d = rotate(r->d, 11);
    return result;
}

static uint32_t below(Random *r, uint32_t n)
{
    uint64_t product = (uint64_t)next32(r) * n;
    if ((uint32_t)product < n) {
        uint32_t threshold = -n % n;
        while ((uint32_t)product < threshold)
            product = (uint64_t)next32(r) * n;
    }
    return product >> 32;
}

static void shuffle(Random *r, uint8_t *things, int count)
{
    for (int i = count - 1; i > 0; i--) {
        uint32_t j = below(r, i + 1);
        uint8_t swapped = things[i];
        things[i] = things[j];
        things[j] = swapped;
    }
}

/* The deal */

static void sort(Card *hand)
{
    for (int i = 1; i < HAND; i++) {
        Card card = hand[i];
        int j = i;
        for (; j > 0 && hand[j - 1] > card; j--)
            hand[j] = hand[j - 1];
        hand[j] = card;
    }
}

static void deal(Game *g, Random *r)
{
    memset(g, 0, sizeof *g);
    Card cards[DECK];
    int count = 0;
    for (int palace = 0; palace < PALACES; palace++)      /* PAL-01 */
        for (int kind = 1; kind <= MINOTAUR; kind++)
            for (int copy = 0; copy < (kind == ARIADNE ? 3 : 2); copy++)
                cards[count++] = palace * 16 + kind;
    shuffle(r, cards, DECK);
    for (int seat = 0; seat < 2; seat++) {
        Player *p = &g->player[seat];
        memcpy(p->hand, cards + seat * HAND, HAND);
        sort(p->hand);
        p->archaeologists = 3;                            /* PAL-02 */
        p->theseus = 1;
    }
    memcpy(g->pile, cards + 2 * HAND, PILE);

    uint8_t others[OTHERS];                               /* PAL-04, PAL-05 */
    for (int i = 0; i < OTHERS; i++)
        others[i] = i < 10 ? STATUE : i < 13 ? FRESCO15 : FRESCO20;
    shuffle(r, others, OTHERS);
    count = OTHERS;
    for (int palace = 0; palace < PALACES; palace++) {
        int rare_at = below(r, SITES);
        for (int site = 0; site < SITES; site++)
            g->site[palace][site] = site == rare_at ? RARE : others[--count];
    }
    g->turn = below(r, 2);
}

/* A turn */

static int list_moves(const Game *g, Move *moves)
{
    const Player *me = &g->player[g->turn], *other = &g->player[1 - g->turn];
    int count = 0;
    Card previous = 0;
    for (int i = 0; i < HAND; i++) {
        Card card = me->hand[i];
        if (card == previous)
            continue;
        previous = card;
        int palace = card / 16, kind = card % 16;
        const Walk *walk = &me->path[palace];
        if (kind == MINOTAUR) {
            const Walk *target = &other->path[palace];
            if (target->pawn != NOBODY && target->step < SAFE_STEP)                              /* PAL-14 */
                moves[count++] = (Move){ATTACK, card};
        } else if (walk->pawn != NOBODY) {
            if (walk->step < LAST_STEP && (kind == ARIADNE || kind >= walk->last))      /* PAL-08 to PAL-10 */
                moves[count++] = (Move){ADVANCE, card};
        } else if (kind != ARIADNE) {                                                            /* PAL-07 */
            if (me->archaeologists)
                moves[count++] = (Move){START_A, card};
            if (me->theseus)
                moves[count++] = (Move){START_T, card};
        }
    }
    previous = 0;
    for (int i = 0; i < HAND; i++)                                                               /* PAL-16 */
        if (me->hand[i] != previous) {
            previous = me->hand[i];
            moves[count++] = (Move){DISCARD, previous};
        }
    return count;
}

static void dig(Game *g, Player *me, int palace, int site)                                       /* PAL-11 */
{
    int find = g->site[palace][site];
    if (find == FRESCO15 || find == FRESCO20) {
        if (!me->photographed[palace][site])
            me->finds += find == FRESCO15 ? 15 : 20;
        me->photographed[palace][site] = true;
    } else if (!g->opened[palace][site]) {
        if (find == RARE)
            me->finds += rare_points[palace];
        else
            me->statues++;
    }
    g->opened[palace][site] = true;
}

static void advance(Game *g, Player *me, int palace, int steps)
{
    Walk *walk = &me->path[palace];
    for (; steps > 0 && walk->step < LAST_STEP; steps--) {
        walk->step++;
        if (walk->step == SAFE_STEP)
            g->at_palaces++;
        if (site_at[walk->step] >= 0)
            dig(g, me, palace, site_at[walk->step]);
    }
}

static void replace(Card *hand, Card played, Card drawn)
{
    int i = 0;
    while (hand[i] != played)
        i++;
    for (; i > 0 && hand[i - 1] > drawn; i--)
        hand[i] = hand[i - 1];
    for (; i < HAND - 1 && hand[i + 1] < drawn; i++)
        hand[i] = hand[i + 1];
    hand[i] = drawn;
}

/* Play a card and draw one; whether that was the end. */
static bool play(Game *g, Move move)
{
    Player *me = &g->player[g->turn], *other = &g->player[1 - g->turn];
    int palace = move.card / 16, kind = move.card % 16;
    Walk *walk = &me->path[palace];
    switch (move.action) {
    case START_A:                                                                                /* PAL-07 */
        walk->pawn = ARCHAEOLOGIST;
        walk->last = kind;
        me->archaeologists--;
        advance(g, me, palace, 1);
        break;
    case START_T:
        walk->pawn = THESEUS;
        walk->last = kind;
        me->theseus--;
        advance(g, me, palace, 1);
        break;
    case ADVANCE:
        if (kind == ARIADNE) {                                                                   /* PAL-09 */
            advance(g, me, palace, 2);
        } else {                                                                                 /* PAL-08 */
            walk->last = kind;
            advance(g, me, palace, 1);
        }
        break;
    case ATTACK: {                                                                       /* PAL-12, PAL-13 */
        Walk *target = &other->path[palace];
        if (target->pawn == ARCHAEOLOGIST)
            target->step = target->step > 3 ? target->step - 2 : 1;
        break;
    }
    }
    if (g->at_palaces >= PAWNS_TO_END)                                                       /* PAL-17 (b) */
        return true;
    replace(me->hand, move.card, g->pile[g->drawn++]);
    g->turn = 1 - g->turn;
    return g->drawn == PILE;                                                                 /* PAL-17 (a) */
}

static int score(const Player *p)                                                                /* PAL-18 */
{
    int total = p->finds + statue_points[p->statues];
    for (int palace = 0; palace < PALACES; palace++) {
        const Walk *walk = &p->path[palace];
        total += step_points[walk->step] * (walk->pawn == THESEUS ? 2 : 1);
    }
    return total;
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: palaces GAMES A B C D\n");
        return 2;
    }
    long games = atol(argv[1]);
    Random r = {strtoul(argv[2], 0, 10), strtoul(argv[3], 0, 10), strtoul(argv[4], 0, 10), strtoul(argv[5], 0, 10)};

    Game g;
    Move moves[MOST_MOVES];
    long count = 0, sums[2] = {0, 0};
    uint32_t checksum = 0;
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (long i = 0; i < games; i++) {
        deal(&g, &r);
        bool over = false;
        for (; !over; count++)
            over = play(&g, moves[below(&r, list_moves(&g, moves))]);
        for (int seat = 0; seat < 2; seat++) {
            int points = score(&g.player[seat]);
            sums[seat] += points;
            checksum = checksum * 31 + (uint32_t)points;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);

    double seconds = (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) * 1e-9;
    printf("{\"games\": %ld, \"moves\": %ld, \"seconds\": %.9f, \"scores\": [%ld, %ld], \"checksum\": %lu}\n",
           games, count, seconds, sums[0], sums[1], (unsigned long)checksum);
    return 0;
}
