// The patterns of one line of k in a row and the ordering scores of its cells: mirrors patterns.py and move_order.py.
//
// Masks are in the line's own cells: bit i is its i-th cell. A run is a stretch of cells without a stone of the other
// colour. The key of a run has a bit for each own stone, and the end bit: the bit after the run's last cell.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "parameters.h"

namespace tengen {

enum Colour { BLACK, WHITE };
enum Pattern { FIVE, OPEN_FOUR, FOUR, OPEN_THREE, THREE, ANSWER };

constexpr int CLASSES = 6;                  // patterns
constexpr int COUNTS = 11;                  // features of a line, see patterns.COUNTS
constexpr int LONGEST_LINE = 16;
constexpr int KINDS = 2;                    // of potentials, see network.h
constexpr int MOST_SCORE = 31;              // largest ordering score of one line and one colour

using Windows = std::vector<uint32_t>;      // sets of empty cells

// The runs of a line without stones of `other`, of at least `shortest` cells: visit(start, mask of the cells, end bit).
template <class Visit>
void free_runs(uint32_t other, int length, int shortest, Visit visit) {
    uint32_t free = ((uint32_t(1) << length) - 1) & ~other;
    while (free) {
        uint32_t low = free & -free;
        uint32_t cells = free & ~(free + low);
        free ^= cells;
        int start = __builtin_ctz(low);
        if (cells >> (start + shortest - 1)) visit(start, cells >> start, (cells >> start) + 1);
    }
}

// The FOUR and OPEN_FOUR cells. A pair is the two empty cells of a window: a stone on one makes a four, a stone on its
// partner then a five. An OPEN_FOUR cell has two partners.
struct Fours {
    uint32_t four = 0, open_four = 0;
};

inline Fours fours_of(const Windows& pairs) {
    uint32_t partners[LONGEST_LINE] = {};
    for (uint32_t pair : pairs) {
        int low = __builtin_ctz(pair), high = 31 - __builtin_clz(pair);
        partners[low] |= 1u << high;
        partners[high] |= 1u << low;
    }
    Fours found;
    for (int cell = 0; cell < LONGEST_LINE; cell++) {
        if (partners[cell]) found.four |= 1u << cell;
        if (partners[cell] & (partners[cell] - 1)) found.open_four |= 1u << cell;
    }
    return found;
}

inline uint32_t union_of(const Windows& masks) {
    uint32_t all = 0;
    for (uint32_t mask : masks) all |= mask;
    return all;
}

template <class Keep>
Windows those(const Windows& masks, Keep keep) {
    Windows kept;
    for (uint32_t mask : masks) {
        if (keep(mask)) kept.push_back(mask);
    }
    return kept;
}

template <class Visit>
void bits(uint32_t mask, Visit visit) {
    for (; mask; mask &= mask - 1) visit(mask & -mask);
}

// The analysis of one run.
struct Run {
    std::array<uint32_t, CLASSES> masks{};
    std::array<int, COUNTS> counts{};

    Run(int size, uint32_t own, int k) {
        std::vector<Windows> missing(k + 1);            // stones missing -> the windows' empty cells
        for (int i = 0; i <= size - k; i++) {
            uint32_t empty = (((1u << k) - 1) << i) & ~own;
            missing[__builtin_popcount(empty)].push_back(empty);
        }
        auto lacking = [&](int stones) { return stones >= 0 && stones <= k ? missing[stones] : Windows(); };
        const Windows pairs = lacking(2), triples = lacking(3);
        uint32_t five = union_of(lacking(1)), open_three = 0, three = 0, answer = 0, open_two = 0;
        const Fours fours = fours_of(pairs);
        bits(union_of(triples) & ~fours.four, [&](uint32_t cell) {
            Windows after = pairs;
            for (uint32_t empty : triples) {
                if (empty & cell) after.push_back(empty ^ cell);
            }
            if (fours_of(after).open_four & ~(cell | fours.open_four)) open_three |= cell;
        });
        int spanned[4] = {};                            // spans, by the stones missing for an open four
        for (int i = 0; i < size - k; i++) {
            uint32_t span = ((1u << (k + 1)) - 1) << i, inside = ((1u << (k - 1)) - 1) << (i + 1);
            if (!(span & own) || (span ^ inside) & own) continue;
            uint32_t empty = inside & ~own;
            int count = __builtin_popcount(empty);
            if (count < 4) spanned[count]++;
            if (count == 3) open_two |= empty;
        }
        bits(union_of(triples), [&](uint32_t cell) {
            uint32_t stops = union_of(those(pairs, [&](uint32_t pair) { return pair & cell; })) & ~cell;
            for (uint32_t empty : triples) {
                if (empty & cell && !(empty & stops)) three |= cell;
            }
        });
        if (fours.open_four) {
            bits(union_of(pairs), [&](uint32_t cell) {
                if (!fours_of(those(pairs, [&](uint32_t pair) { return !(pair & cell); })).open_four) answer |= cell;
            });
        }
        masks = {five, fours.open_four, fours.four, open_three, three, answer};
        for (int stones = 1; stones <= 4; stones++) counts[stones - 1] = int(lacking(k - stones).size());
        for (int i = 0; i < 3; i++) counts[4 + i] = spanned[3 - i];
        const uint32_t cells[] = {fours.four, fours.open_four, open_three,
                                  open_two & ~(five | fours.four | open_three)};
        for (int i = 0; i < 4; i++) counts[7 + i] = __builtin_popcount(cells[i]);
    }
};

using OrderWeights = std::unordered_map<std::string, std::array<int, 2>>;   // surroundings -> (to move, not to move)

// The facts of a run that the board uses: masks, values, ordering scores and potentials.
struct RunFacts {
    uint16_t masks[CLASSES];
    int32_t value[2];                       // if the run's colour is to move, and if not
    uint8_t scores[2][LONGEST_LINE];        // of its cells; if the colour is to move, and if not
    uint8_t potentials[KINDS][2][LONGEST_LINE];     // as scores
    bool known = false;
};

// A cache of the RunFacts (masks, values, ordering scores, potentials) of each run, by the run's key.
class Runs {
public:
    const int k;

    Runs(int k, int longest, const KInARowParameters& use, OrderWeights order, const OrderWeights* potentials)
        : k(k), use_(use), order_(std::move(order)), potentials_(potentials), runs_(size_t(2) << longest) {}

    const RunFacts& at(uint32_t key) {
        RunFacts& found = runs_[key];
        if (!found.known) found = analyse(31 - __builtin_clz(key), key);
        return found;
    }

private:
    RunFacts analyse(int size, uint32_t key) const {
        const Run run(size, key ^ 1u << size, k);
        RunFacts facts{};
        facts.known = true;
        for (int i = 0; i < CLASSES; i++) facts.masks[i] = uint16_t(run.masks[i]);
        for (int i = 0; i < COUNTS; i++) {
            facts.value[0] += int32_t(run.counts[i] * use_.moving[i]);
            facts.value[1] += int32_t(run.counts[i] * use_.waiting[i]);
        }
        std::string drawn;
        for (int i = 0; i < size; i++) drawn += ".X"[key >> i & 1];
        for (int cell = 0; cell < size; cell++) {
            if (drawn[cell] != '.') continue;
            const std::string around = surroundings(drawn, cell);
            const std::array<int, 2> score = order_.empty() ? by_hand(drawn, cell) : learnt(order_, around);
            for (int i = 0; i < 2; i++) facts.scores[i][cell] = uint8_t(score[i]);
            for (int kind = 0; kind < KINDS; kind++) {
                const std::array<int, 2> potential = learnt(potentials_[kind], around);
                for (int i = 0; i < 2; i++) facts.potentials[kind][i][cell] = uint8_t(potential[i]);
            }
        }
        return facts;
    }

    std::string surroundings(const std::string& drawn, int cell) const {
        const int first = std::max(cell - k + 1, 0);
        return drawn.substr(first, cell - first) + "*" + drawn.substr(cell + 1, k - 1);
    }

    static std::array<int, 2> learnt(const OrderWeights& weights, const std::string& around) {
        auto found = weights.find(around);
        if (found == weights.end()) found = weights.find(std::string(around.rbegin(), around.rend()));
        return found == weights.end() ? std::array<int, 2>{0, 0} : found->second;
    }

    std::array<int, 2> by_hand(const std::string& drawn, int cell) const {
        const int size = int(drawn.size());
        int most = 0;
        for (int i = std::max(cell - k + 1, 0); i <= std::min(cell, size - k); i++) {
            int stones = 0;
            for (int j = i; j < i + k; j++) stones += drawn[j] == 'X';
            most = std::max(most, stones);
        }
        const int score = std::min(2 * most, MOST_SCORE);
        return {score, score};
    }

    const KInARowParameters& use_;
    OrderWeights order_;
    const OrderWeights* potentials_;        // an array of KINDS
    std::vector<RunFacts> runs_;
};

}  // namespace tengen
