// The rules of Reversi on an N x N board as bit masks: legal cells and flips.
//
// A mask has bit row * N + col. Mirrors what the steps of ListGraph in submission/reversi/board.py say, by other means:
// runs of the other side's discs are extended by shifts, in eight directions.
#pragma once

#include <cstdint>
#include <type_traits>

#include "flat_map.h"

namespace tengen {

constexpr int PASS = -1;

template <int N>
struct Reversi {
    static_assert(N % 2 == 0 && N >= 4 && N <= 10, "a mask has at most 128 bits");

    static constexpr int CELLS = N * N;
    using Bits = std::conditional_t<(CELLS <= 64), uint64_t, unsigned __int128>;

    static constexpr Bits bit(int cell) { return Bits(1) << cell; }
    static constexpr Bits ALL = CELLS == 8 * sizeof(Bits) ? ~Bits(0) : (Bits(1) << CELLS % (8 * sizeof(Bits))) - 1;

    // All cells but those of the first and last column: a run along a row or a diagonal has discs on no others.
    static constexpr Bits inner_columns() {
        Bits mask = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            if (cell % N && cell % N < N - 1) mask |= bit(cell);
        }
        return mask;
    }
    static constexpr Bits INNER = inner_columns();

    static int count(Bits mask) {
        if constexpr (sizeof(Bits) == 8) {
            return __builtin_popcountll(mask);
        } else {
            return __builtin_popcountll(uint64_t(mask)) + __builtin_popcountll(uint64_t(mask >> 64));
        }
    }

    static int lowest(Bits mask) {
        if constexpr (sizeof(Bits) == 8) {
            return __builtin_ctzll(mask);
        } else {
            return uint64_t(mask) ? __builtin_ctzll(uint64_t(mask)) : 64 + __builtin_ctzll(uint64_t(mask >> 64));
        }
    }

    template <class Visit>
    static void each(Bits mask, Visit visit) {
        for (; mask; mask &= mask - 1) visit(lowest(mask));
    }

    static Bits legal(Bits own, Bits other) {
        const Bits inner = other & INNER;
        Bits found = after_runs<1>(own, inner) | after_runs<N>(own, other);
        found |= after_runs<N + 1>(own, inner) | after_runs<N - 1>(own, inner);
        return found & ALL & ~(own | other);
    }

    // The discs that a disc on a free cell flips; none if the move is illegal.
    static Bits flips(Bits own, Bits other, int cell) {
        const Bits at = bit(cell), inner = other & INNER;
        return enclosed<1>(at, own, inner) | enclosed<N>(at, own, other) | enclosed<N + 1>(at, own, inner)
               | enclosed<N - 1>(at, own, inner);
    }

private:
    template <int STEP>
    static Bits up(Bits mask) { return mask << STEP; }
    template <int STEP>
    static Bits down(Bits mask) { return mask >> STEP; }

    // The discs of `other` in a row from `from` on, upwards (by shifts to the left) or downwards.
    template <int STEP>
    static Bits run_up(Bits from, Bits other) {
        Bits run = other & up<STEP>(from);
        run |= other & up<STEP>(run);
        const Bits pairs = other & up<STEP>(other);
        for (int i = 4; i < N; i += 2) run |= pairs & up<2 * STEP>(run);
        return run;
    }
    template <int STEP>
    static Bits run_down(Bits from, Bits other) {
        Bits run = other & down<STEP>(from);
        run |= other & down<STEP>(run);
        const Bits pairs = other & down<STEP>(other);
        for (int i = 4; i < N; i += 2) run |= pairs & down<2 * STEP>(run);
        return run;
    }

    template <int STEP>
    static Bits after_runs(Bits own, Bits other) {
        return up<STEP>(run_up<STEP>(own, other)) | down<STEP>(run_down<STEP>(own, other));
    }

    template <int STEP>
    static Bits enclosed(Bits at, Bits own, Bits other) {
        Bits found = 0;
        if (other & up<STEP>(at)) {
            const Bits above = run_up<STEP>(at, other);
            if (up<STEP>(above) & own) found |= above;
        }
        if (other & down<STEP>(at)) {
            const Bits below = run_down<STEP>(at, other);
            if (down<STEP>(below) & own) found |= below;
        }
        return found;
    }
};

// A board as a key: two masks and a number. Different boards have different keys.
template <class Bits>
class BoardKey {
public:
    BoardKey() = default;
    BoardKey(Bits first, Bits second, uint64_t number) : number_(number) {
        uint64_t* at = words_;
        for (Bits mask : {first, second}) {
            for (size_t i = 0; i < sizeof(Bits) / 8; i++) *at++ = uint64_t(mask >> 32 * i >> 32 * i);
        }
    }

    bool operator==(const BoardKey& other) const {
        uint64_t differing = number_ ^ other.number_;
        for (size_t i = 0; i < WORDS; i++) differing |= words_[i] ^ other.words_[i];
        return !differing;
    }

    uint64_t hash() const {
        uint64_t mixed = number_, factor = HASH_FACTOR;
        for (uint64_t word : words_) {
            mixed += (word ^ word >> 32) * factor;
            factor *= HASH_FACTOR;
        }
        mixed = (mixed ^ mixed >> 29) * HASH_FACTOR;
        return mixed ^ mixed >> 32;
    }

private:
    static constexpr size_t WORDS = 2 * sizeof(Bits) / 8;

    uint64_t words_[WORDS] = {}, number_ = 0;
};

}  // namespace tengen
