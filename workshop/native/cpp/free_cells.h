// The endgame solver's move orders, by the set of free cells: mirrors FreeCells of submission/reversi/free_cells.py.
#pragma once

#include <algorithm>
#include <array>

#include "reversi_bits.h"

namespace tengen {

constexpr int MANY = 6;                 // with at least this many free cells, the opponent's replies order the moves

template <int N>
class FreeCells {
public:
    using Rules = Reversi<N>;
    using Bits = typename Rules::Bits;
    using Order = std::array<uint8_t, MANY - 1>;

    static constexpr Bits CORNERS =
        Rules::bit(0) | Rules::bit(N - 1) | Rules::bit(N * N - N) | Rules::bit(N * N - 1);

    FreeCells() {
        for (int cell = 0; cell < N * N; cell++) by_class_[cell] = uint8_t(cell);
        std::stable_sort(by_class_, by_class_ + N * N, [](int a, int b) { return square_class(a) < square_class(b); });
        for (int place = 0; place < N * N; place++) place_[by_class_[place]] = uint8_t(place);
    }

    // Sort cells by their class, good classes first.
    void sort(uint8_t* cells, int size) const {
        std::sort(cells, cells + size, [this](int a, int b) { return place_[a] < place_[b]; });
    }

    // The free cells (3 to MANY - 1 of them) in the order of moves: odd regions first. Valid until the next call.
    const Order& order(Bits free) {
        const Set key(free, 0, 1);
        if (const Order* known = orders_.find(key)) return *known;
        if (orders_.size() > MOST_ORDERS) orders_.clear();
        Order& found = orders_.put(key);
        int size = 0;
        Rules::each(free, [&](int cell) { found[size++] = uint8_t(cell); });
        sort(found.data(), size);
        const Bits in_odd = odd(free);
        std::stable_partition(found.data(), found.data() + size, [&](int cell) { return (in_odd >> cell & 1) != 0; });
        return found;
    }

private:
    static constexpr size_t MOST_ORDERS = 200000;

    using Set = BoardKey<Bits>;

    // From 0 (corner, the best) to 6 (X square, the worst).
    static int square_class(int cell) {
        const int row = std::min(cell / N, N - 1 - cell / N), col = std::min(cell % N, N - 1 - cell % N);
        const int near = std::min(row, col), far = std::max(row, col);
        if (far <= 1) return near + far == 0 ? 0 : near + far == 1 ? 5 : 6;
        return near == 0 ? 2 - (far == 2) : near == 1 ? 4 : 3;
    }

    static Bits neighbours(int cell) {
        Bits found = 0;
        for (int row = std::max(cell / N - 1, 0); row < std::min(cell / N + 2, N); row++) {
            for (int col = std::max(cell % N - 1, 0); col < std::min(cell % N + 2, N); col++) {
                if (row * N + col != cell) found |= Rules::bit(row * N + col);
            }
        }
        return found;
    }

    // The free cells in regions of odd size; cells of a region touch by a side or a corner.
    static Bits odd(Bits free) {
        Bits found = 0;
        while (free) {
            Bits region = free & -free, todo = region;
            free ^= region;
            while (todo) {
                const Bits reached = neighbours(Rules::lowest(todo)) & free;
                free ^= reached;
                region |= reached;
                todo = (todo & (todo - 1)) | reached;
            }
            if (Rules::count(region) & 1) found |= region;
        }
        return found;
    }

    uint8_t by_class_[N * N], place_[N * N];
    FlatMap<Order, Set> orders_;
};

}  // namespace tengen
