/* Random games of Connect Four, 7 columns by 6 rows, on two 64-bit words.
 *
 *   playouts GAMES SEED
 *
 * prints plies, wins, draws and losses of the first player, and seconds. With -DPDEP the k-th
 * legal column is found by one instruction of newer x86 machines instead of by a loop.
 *
 *   6 13 20 27 34 41 48     always empty, so that no line runs on into the next column
 *   5 12 19 26 33 40 47     top row
 *   4 11 18 25 32 39 46
 *   3 10 17 24 31 38 45
 *   2  9 16 23 30 37 44
 *   1  8 15 22 29 36 43
 *   0  7 14 21 28 35 42     bottom row
 */
#define _POSIX_C_SOURCE 199309L
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef PDEP
#include <immintrin.h>
#endif

enum { STEP = 7 };
#define FLOOR UINT64_C(0x40810204081) /* the bottom row */
#define BOARD (FLOOR * 63)            /* all 42 cells */

typedef struct {
    uint64_t mine; /* discs of the player to move */
    uint64_t all;
} Position;

static inline uint64_t next_random(uint64_t *seed) /* SplitMix64 */
{
    uint64_t word = (*seed += UINT64_C(0x9E3779B97F4A7C15));
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

static inline bool has_four(uint64_t discs, int direction)
{
    uint64_t pairs = discs & (discs >> direction);
    return pairs & (pairs >> 2 * direction);
}

static inline bool has_line(uint64_t discs)
{
    return has_four(discs, 1) || has_four(discs, STEP) || has_four(discs, STEP - 1) ||
           has_four(discs, STEP + 1);
}

/* One bit for each legal column: the cell on which its next disc lands. */
static inline uint64_t landing_cells(uint64_t all)
{
    return (all + FLOOR) & BOARD;
}

/* The set bit that has this many set bits below it. */
static inline uint64_t nth_bit(uint64_t word, uint64_t index)
{
#ifdef PDEP
    return _pdep_u64(UINT64_C(1) << index, word);
#else
    while (index--)
        word &= word - 1;
    return word & -word;
#endif
}

static inline Position play_random(Position position, uint64_t *seed)
{
    uint64_t cells = landing_cells(position.all);
    uint64_t choices = (uint64_t)__builtin_popcountll(cells);
    uint64_t index = ((next_random(seed) >> 32) * choices) >> 32;
    Position after = {position.mine ^ position.all, position.all | nth_bit(cells, index)};
    return after;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: playouts GAMES SEED\n");
        return 2;
    }
    long long games = atoll(arguments[1]);
    uint64_t seed = strtoull(arguments[2], NULL, 10);
    long long plies = 0, wins = 0, draws = 0, losses = 0;

    double start = now();
    for (long long game = 0; game < games; game++) {
        Position position = {0, 0};
        long long ply = 0;
        bool won = false;
        while (!won && position.all != BOARD) {
            position = play_random(position, &seed);
            won = has_line(position.mine ^ position.all); /* the player who has just moved */
            ply++;
        }
        plies += ply;
        if (!won)
            draws++;
        else if (ply % 2)
            wins++;
        else
            losses++;
    }
    double seconds = now() - start;

    printf("%lld %lld %lld %lld %.9f\n", plies, wins, draws, losses, seconds);
    return 0;
}
