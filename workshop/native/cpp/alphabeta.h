// Principal variation search of one iteration: mirrors AlphaBeta of submission/search/alphabeta.py, step by step.
//
// Position: KInARowPosition, or another class with the same functions. When iteration() throws TimeUp, the moves of the
// search are still on the board; the caller undoes them.
#pragma once

#include "clock.h"
#include "mask.h"
#include "parameters.h"
#include "searchable.h"
#include "table.h"

namespace tengen {

constexpr int PROVED_DEPTH = 1000;          // depth of a table entry for a proved win: no search is deeper

// Converts a win or loss in plies from a node to plies from the root, `ply` plies above. -ply: the reverse.
inline int from_root(int value, int ply) {
    return -PROVED_WIN < value && value < PROVED_WIN ? value : value > 0 ? value - ply : value + ply;
}

// An evaluation moved to the nearest value that agrees with the entry's bound; entries of wins and losses are ignored.
inline int corrected(int value, const TableEntry& entry) {
    const bool agrees = value == entry.value || entry.bound == (value < entry.value ? UPPER : LOWER);
    return agrees || entry.value <= -PROVED_WIN || entry.value >= PROVED_WIN ? value : entry.value;
}

template <class Position>
class AlphaBeta {
public:
    Table<typename Position::Key> table;
    int64_t nodes = 0;

protected:
    void prepare(Position& position, Deadline& deadline) {
        position_ = &position;
        parameters_ = &position.parameters;
        deadline_ = &deadline;
        table.entries = size_t(parameters_->table_entries);
        nodes = 0;
    }

    // Search the root moves to `depth` plies. Returns the best value.
    int iteration(int depth) {
        has_best_value_ = false;
        last_ply_ = depth + int(parameters_->extension_plies);
        selective_ = depth < position_->plies_left();
        killers_.assign(last_ply_ + 2, {-1, -1});
        quick_values_.assign(last_ply_ + 2, 0);
        return search(depth, -INFINITE, INFINITE, 0);
    }

    // Search the current position to `depth` plies. Returns a fail-soft value.
    int search(int depth, int alpha, int beta, int ply) {
        // 1. Count the node.
        nodes++;
        if (!(nodes & CHECK_MASK)) deadline_->check(nodes);
        Position& position = *position_;

        // 2. The game is over, or its result is seen.
        if (position.decided()) return from_root(position.outcome(), ply);

        // 3. Only one reply to a threat: play it without table and evaluation.
        if (ply && position.forced() && (depth > 0 || ply < last_ply_)) {
            return search_moves(depth, alpha, beta, ply, false, TableEntry{0, -1, 0, 0});
        }

        // 4. Transposition table.
        const TableEntry* stored = table.get(position.table_key());
        const bool known = stored;
        const TableEntry entry = known ? *stored : TableEntry{0, -1, 0, 0};
        if (known && entry.depth >= depth && ply) {
            const int value = from_root(entry.value, ply);
            if (entry.bound == EXACT || (entry.bound == LOWER ? value >= beta : value <= alpha)) return value;
        }

        int win = 0;
        bool narrow = false;
        if (depth <= 0) {
            // 5. Horizon: evaluation and threat search.
            const int value = position.evaluate(alpha, beta);
            if (value >= beta) return value;
            win = position.forced_win(0, *deadline_);
            if (!win) return value;
        } else {
            // 6. Futility pruning and razoring.
            narrow = beta - alpha == 1 && selective_ && -PROVED_WIN < alpha && alpha < PROVED_WIN && position.quiet();
            if (narrow && depth < parameters_->futility.size) {
                const int futility = int(parameters_->futility.items[depth]);
                const int razoring = int(parameters_->razoring.items[depth]);
                int value = position.evaluate(alpha - razoring, beta + futility);
                if (known) value = corrected(value, entry);
                if (value - futility >= beta) return value;
                if (value + razoring <= alpha) {
                    win = position.forced_win(0, *deadline_);
                    if (!win) return value;
                }
            }
        }

        // 7. Threat search.
        if (ply && !win && (!known || entry.depth < depth)) win = position.forced_win(depth, *deadline_);
        if (win) {
            store(PROVED_DEPTH, LOWER, WIN - win, entry.move);
            return WIN - win - ply;
        }

        // 8. ProbCut.
        if (narrow && depth < parameters_->probcut_depths.size) {
            if (const int plies = int(parameters_->probcut_depths.items[depth])) {
                const int margin = int(position.probcut_margin());
                if (position.evaluate(alpha, beta) > alpha) {
                    const int above = alpha + 1 + margin;
                    if (search(plies, above - 1, above, ply) >= above) return alpha + 1;
                } else {
                    const int below = alpha - margin;
                    if (search(plies, below, below + 1, ply) <= below) return alpha;
                }
            }
        }

        // 9. Internal iterative reduction.
        if (depth >= parameters_->iir_depth && ply && selective_ && entry.move < 0) depth--;
        return search_moves(depth, alpha, beta, ply, known, entry);
    }

    int search_moves(int depth, int alpha, int beta, int ply, bool known, const TableEntry& entry) {
        Position& position = *position_;
        MoveList moves;
        if (ply) {
            position.moves(depth, moves);
        } else {
            moves = root_moves_;
        }

        // 10. Extension: forced replies cost no depth.
        int child_depth = depth - 1;
        if (moves.size <= parameters_->forced_replies) child_depth += ply + depth < last_ply_;

        // 11. Improving.
        const auto* reductions = parameters_->reductions;
        if (depth >= parameters_->improving_depth && parameters_->improving_plies) {
            quick_values_[ply] = position.quick_value();
            const bool improving = ply <= 1 || quick_values_[ply] >= quick_values_[ply - 2];
            if (!improving) reductions = parameters_->reductions_not_improving;
        }

        // 12. A single reply: no move order and no table entry.
        if (moves.size == 1 && ply) {
            position.play(moves.cells[0]);
            const int value = -search(child_depth, -beta, -alpha, ply + 1);
            position.undo();
            return value;
        }

        // 13. Move order: hash move, killers, then the order of moves().
        const Killers killers = killers_[ply];
        for (int move : {killers.before, killers.latest, int(entry.move)}) moves.to_front(move);

        const int row = selective_ ? std::min(std::max(depth, 0), REDUCTION_SIZE - 1) : 0;
        return best_of(moves, depth, child_depth, reductions[row], alpha, beta, ply, known, entry);
    }

    int best_of(MoveList& moves, int depth, int child_depth, const int64_t* by_number, int alpha, int beta, int ply,
                bool known, const TableEntry& entry) {
        Position& position = *position_;

        // 14. Principal variation search with late move reductions.
        int best = -INFINITE, best_move = moves.cells[0];
        Bound bound = UPPER;
        for (int number = 0; number < moves.size; number++) {
            const int move = moves.cells[number];
            position.play(move);
            table.prefetch(position.table_key());
            int value;
            if (number == 0) {
                value = -search(child_depth, -beta, -alpha, ply + 1);
            } else {
                int64_t reduction = by_number[std::min(number, REDUCTION_SIZE - 1)];
                const int child_alpha = parameters_->null_window ? -alpha - 1 : -beta;
                value = -search(child_depth - int(reduction), child_alpha, -alpha, ply + 1);
                if (value > alpha && reduction) value = -search(child_depth, child_alpha, -alpha, ply + 1);
                if (alpha < value && value < beta) value = -search(child_depth, -beta, -alpha, ply + 1);
            }
            position.undo();
            if (value > best) {
                best = value;
                best_move = move;
                if (value > alpha) {
                    alpha = value;
                    bound = EXACT;
                    if (ply == 0) {
                        best_ = move;
                        best_value_ = value;
                        has_best_value_ = true;
                    }
                    if (value >= beta) {
                        bound = LOWER;
                        Killers& killers = killers_[ply];
                        if (parameters_->killers && killers.latest != move) killers = {move, killers.latest};
                        break;
                    }
                }
            }
            // 15. All candidates lose: add the defences that were not among them.
            if (best <= -PROVED_WIN && number + 1 == moves.size) {
                MoveList more;
                position.defences(moves, *deadline_, more);
                for (int i = 0; i < more.size; i++) {
                    if (ply || !taken_.has(more.cells[i])) moves.add(more.cells[i]);
                }
            }
        }

        // 16. Store the result, unless root moves were left out; a bound does not replace an entry of a deeper search.
        const bool whole = ply || !taken_.size;  // no root moves were left out
        if (whole && (!known || depth >= entry.depth || bound == EXACT)) {
            store(depth, bound, from_root(best, -ply), best_move);
        }
        return best;
    }

    void store(int depth, Bound bound, int value, int move) {
        table.put(position_->table_key(), {value, int16_t(move), int16_t(depth), uint16_t(bound)});
    }

    struct Killers {
        int latest, before;
    };

    Position* position_ = nullptr;
    const SearchParameters* parameters_ = nullptr;
    Deadline* deadline_ = nullptr;
    std::vector<Killers> killers_;          // per ply
    std::vector<int> quick_values_;         // per ply, on the path from the root to the current node
    int last_ply_ = 0;                      // greatest ply, extensions included
    bool selective_ = true;                 // false in a search to the end
    MoveList root_moves_, taken_;           // taken: first moves of the best lines already found
    int best_ = -1;                         // the best root move so far, and its value, if it has one
    int best_value_ = 0;
    bool has_best_value_ = false;
};

}  // namespace tengen
