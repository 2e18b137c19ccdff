// The endgame solver of Reversi: mirrors Solver of submission/reversi/endgame.py, node for node.
//
// A position is the discs of the mover and of the opponent. Values are disc differences in the mover's view.
#pragma once

#include "clock.h"
#include "free_cells.h"
#include "table.h"

namespace tengen {

constexpr int CHECK_EVERY = 64;             // nodes between two checks of the deadline
constexpr int TABLE_FROM = MANY + 1;        // the transposition table is used with at least this many free cells
constexpr int BEYOND = 10000;               // greater than every value

// Bounds of the value in the mover's view, and the move that proves the lower one.
struct Solution {
    int move, lower, upper;
    int64_t nodes;
    bool exact() const { return lower == upper; }
};

template <int N>
class Solver {
public:
    using Rules = Reversi<N>;
    using Bits = typename Rules::Bits;

    explicit Solver(size_t table_entries) {
        for (auto& table : tables_) table.entries = table_entries;
    }

    // Find out who wins, then by how much. At the deadline, the bounds proved so far are returned.
    Solution solve(Bits black, Bits white, int side, Deadline& deadline) {
        deadline_ = &deadline;
        nodes_ = next_check_ = 0;
        const Board board{side ? white : black, side ? black : white, side};
        Solution found = close_in(board);
        if (found.move == PASS && found.lower < found.upper) {
            const Solution other = close_in(board.passed());
            found.lower = -other.upper;
            found.upper = -other.lower;
        }
        found.nodes = nodes_;
        return found;
    }

private:
    struct Board {
        Bits own, other;
        int side;

        Bits free() const { return Rules::ALL & ~(own | other); }
        int left() const { return Rules::count(free()); }
        Bits legal() const { return Rules::legal(own, other); }
        int difference() const { return Rules::count(own) - Rules::count(other); }
        Board passed() const { return {other, own, 1 - side}; }
        Bits flips(int cell) const { return Rules::flips(own, other, cell); }
        Board after(int cell, Bits flipped) const {
            return {other ^ flipped, own | flipped | Rules::bit(cell), 1 - side};
        }
        BoardKey<Bits> key() const { return {own, other, 1}; }
        Board after(int cell) const { return after(cell, flips(cell)); }
    };

    using Key = BoardKey<Bits>;

    struct Bounds {
        int16_t lower, upper, move;
    };

    // A legal move: the board after it, the opponent's replies, and `count`, by which moves are sorted.
    struct Move {
        Board after;
        Bits replies;
        int cell, count;
    };
    struct Moves {
        int size = 0;
        Move list[N * N];

        // Sort by count, ascending; moves of equal count keep their order.
        void sort() {
            for (int i = 1, at; i < size; i++) {
                const Move move = list[i];
                for (at = i; at && list[at - 1].count > move.count; at--) list[at] = list[at - 1];
                list[at] = move;
            }
        }
    };

    // MTD(f): narrow the bounds of the mover's value by null-window searches.
    Solution close_in(const Board& board) {
        Solution found{PASS, -N * N, N * N, 0};
        const Bits legal = board.legal();
        if (!legal) {
            if (!board.passed().legal()) found.lower = found.upper = board.difference();
            return found;
        }
        const Key key = board.key();
        if (const Bounds* known = tables_[board.side].get(key)) {
            found.lower = std::max(found.lower, int(known->lower));
            found.upper = std::min(found.upper, int(known->upper));
            found.move = known->move;
        }
        Moves moves;
        Rules::each(legal, [&](int cell) {
            const Board after = board.after(cell);
            const int replies = Rules::count(after.legal());
            moves.list[moves.size++] = {after, 0, cell, cell == found.move ? -1 : replies};
        });
        moves.sort();
        found.move = moves.list[0].cell;
        int beta = found.lower > 0 ? found.lower + 1 : std::min(found.upper, 1);
        try {
            while (found.lower < found.upper) {
                int value = -BEYOND, number = 0;
                for (; number < moves.size; number++) {
                    value = std::max(value, -value_of(moves.list[number].after, 1 - beta));
                    if (value >= beta) break;
                }
                if (number < moves.size) {
                    found.lower = value;
                    found.move = moves.list[number].cell;
                    std::rotate(moves.list, moves.list + number, moves.list + number + 1);
                } else {
                    found.upper = value;
                }
                tables_[board.side].put(key, {int16_t(found.lower), int16_t(found.upper), int16_t(found.move)});
                beta = found.lower >= beta ? found.lower + 1 : found.upper;
            }
        } catch (TimeUp) {
        }
        return found;
    }

    // Null-window search: a lower bound of the value if the result is at least beta, else an upper bound.
    int value_of(const Board& board, int beta) {
        const int left = board.left();
        if (left == 0) return board.difference();
        if (left == 1) return board.difference() + last_gain(board, Rules::lowest(board.free()));
        if (left == 2) return last_two(board, beta);
        if (left < MANY) return fixed_order(board, beta, left);
        if (const Bits legal = board.legal()) return search(board, beta, left, legal);
        const Board passed = board.passed();
        if (const Bits legal = passed.legal()) return -search(passed, 1 - beta, left, legal);
        return board.difference();
    }

    // The change of the mover's disc difference by the last free cell; negative if only the opponent can play there.
    static int last_gain(const Board& board, int cell) {
        const int mine = Rules::count(board.flips(cell));
        if (mine) return 2 * mine + 1;
        const int his = Rules::count(board.passed().flips(cell));
        return his ? -2 * his - 1 : 0;
    }

    // As value_of, with two free cells.
    int last_two(const Board& board, int beta) const {
        const Bits free = board.free();
        uint8_t cells[2] = {uint8_t(Rules::lowest(free)), uint8_t(Rules::lowest(free & (free - 1)))};
        cells_.sort(cells, 2);
        int best = -BEYOND;
        for (int i : {0, 1}) {
            const Bits flipped = board.flips(cells[i]);
            if (!flipped) continue;
            const Board after = board.after(cells[i], flipped);
            const int value = -after.difference() - last_gain(after, cells[1 - i]);
            if (value >= beta) return value;
            best = std::max(best, value);
        }
        if (best > -BEYOND) return best;
        best = BEYOND;
        const Board passed = board.passed();
        for (int i : {0, 1}) {
            const Bits flipped = passed.flips(cells[i]);
            if (!flipped) continue;
            const Board after = passed.after(cells[i], flipped);
            const int value = after.difference() + last_gain(after, cells[1 - i]);
            if (value < beta) return value;
            best = std::min(best, value);
        }
        return best < BEYOND ? best : board.difference();
    }

    // As value_of, with 3 to MANY - 1 free cells: the move order depends on the set of free cells only.
    int fixed_order(const Board& board, int beta, int left) {
        nodes_++;
        const auto order = cells_.order(board.free());
        int best = -BEYOND;
        for (int i = 0; i < left; i++) {
            const Bits flipped = board.flips(order[i]);
            if (!flipped) continue;
            const Board after = board.after(order[i], flipped);
            const int value = -(left > 3 ? fixed_order(after, 1 - beta, left - 1) : last_two(after, 1 - beta));
            if (value >= beta) return value;
            best = std::max(best, value);
        }
        if (best > -BEYOND) return best;
        const Board passed = board.passed();
        return passed.legal() ? -fixed_order(passed, 1 - beta, left) : board.difference();
    }

    int search(const Board& board, int beta, int left, Bits legal) {
        return left >= TABLE_FROM ? search_stored(board, beta, left, legal) : fewest_replies(board, beta, left, legal);
    }

    // As value_of, with MANY free cells: moves with the fewest replies come first.
    int fewest_replies(const Board& board, int beta, int left, Bits legal) {
        tick();
        Moves moves;
        in_order(legal, [&](int cell) {
            const Board after = board.after(cell);
            moves.list[moves.size++] = {after, 0, cell, Rules::count(after.legal())};
            return true;
        });
        moves.sort();
        int best = -BEYOND;
        for (int i = 0; i < moves.size; i++) {
            const int value = -fixed_order(moves.list[i].after, 1 - beta, left - 1);
            if (value >= beta) return value;
            best = std::max(best, value);
        }
        return best;
    }

    // As value_of, with more than MANY free cells: as fewest_replies, and with the transposition table.
    int search_stored(const Board& board, int beta, int left, Bits legal) {
        tick();
        const Key key = board.key();
        auto& table = tables_[board.side];
        const Bounds* known = table.get(key);
        const auto [lower, upper, best_cell] = known ? *known : Bounds{-BEYOND, BEYOND, PASS};
        if (lower >= beta || lower == upper) return lower;
        if (upper < beta) return upper;
        int cutoff = -BEYOND;
        Moves moves;
        in_order(legal, [&](int cell) {
            const Board after = board.after(cell);
            if (left > TABLE_FROM) {
                const Bounds* entry = tables_[after.side].get(after.key());
                if (entry && -entry->upper >= beta) {
                    cutoff = -entry->upper;
                    return false;
                }
            }
            const Bits replies = after.legal();
            const int corners = Rules::count(replies & FreeCells<N>::CORNERS);      // corners count twice
            moves.list[moves.size++] = {after, replies, cell, Rules::count(replies) + corners};
            return true;
        });
        if (cutoff > -BEYOND) return cutoff;
        moves.sort();
        int best = -BEYOND;
        for (int i = 0; i < moves.size; i++) {
            const Move& move = moves.list[i];
            int value;
            if (move.replies) {
                value = -search(move.after, 1 - beta, left - 1, move.replies);
            } else {
                const Board again = move.after.passed();
                const Bits more = again.legal();
                value = more ? search(again, beta, left - 1, more) : again.difference();
            }
            if (value > best) {
                best = value;
                if (value >= beta) {
                    table.put(key, {int16_t(value), upper, int16_t(move.cell)});
                    return value;
                }
            }
        }
        table.put(key, {lower, int16_t(best), best_cell});
        return best;
    }

    // Visit the legal cells by their class, good classes first, until visit() returns false.
    template <class Visit>
    void in_order(Bits legal, Visit visit) const {
        uint8_t cells[N * N];
        int size = 0;
        Rules::each(legal, [&](int cell) { cells[size++] = uint8_t(cell); });
        cells_.sort(cells, size);
        for (int i = 0; i < size && visit(cells[i]); i++) {}
    }

    void tick() {
        if (++nodes_ < next_check_) return;
        next_check_ = nodes_ + CHECK_EVERY;
        deadline_->check(nodes_);
    }

    FreeCells<N> cells_;
    Table<Key, Bounds> tables_[2];          // by the side to move
    Deadline* deadline_ = nullptr;
    int64_t nodes_ = 0, next_check_ = 0;
};

}  // namespace tengen
