// Iterative deepening at the root: mirrors Search of submission/search/deepening.py.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "alphabeta.h"

namespace tengen {

enum Source { FROM_SEARCH, FROM_THREATS, FROM_SOLVER, WINNER_FROM_SOLVER };

struct Thought {
    int move = -1, value = 0, depth = 0;
    int64_t nodes = 0;
    std::vector<int> pv;
    Source source = FROM_SEARCH;
};

template <class Position>
class Search : public AlphaBeta<Position> {
public:
    using Thoughts = std::vector<Thought>;

    std::function<bool(const Thoughts&)> progress;      // gets the thoughts of each iteration; true ends the search

    // The thought with the best move. The position must have moves; depth 0: no limit.
    Thought think(Position& position, Deadline& deadline, int depth) {
        MoveList moves;
        position.moves(0, moves);
        if (moves.size > 1) return analyse(position, deadline, depth, 1)[0];
        return {moves.cells[0], position.decided() ? position.outcome() : 0, 0, 0, {moves.cells[0]}, FROM_SEARCH};
    }

    // The thoughts with the `lines` best moves, best first.
    Thoughts analyse(Position& position, Deadline& deadline, int depth, int lines) {
        MoveList moves;
        position.moves(0, moves);
        Thoughts thoughts;
        if (position.decided()) {
            for (int i = 0; i < std::min(lines, moves.size); i++) {
                thoughts.push_back({moves.cells[i], position.outcome(), 0, 0, {moves.cells[i]}, FROM_SEARCH});
            }
            return thoughts;
        }
        this->prepare(position, deadline);
        const MoveList line = position.winning_line(deadline);
        if (line.size) {
            const std::vector<int> pv(line.cells, line.cells + line.size);
            thoughts.push_back({line.cells[0], WIN - line.size, 0, 0, pv, FROM_THREATS});
        }
        if (int(thoughts.size()) == lines) return thoughts;
        position.root_moves(moves, deadline);
        MoveList root;
        for (int i = 0; i < moves.size; i++) {
            if (!line.size || moves.cells[i] != line.cells[0]) root.add(moves.cells[i]);
        }
        if (root.size) {
            MoveList won;
            if (line.size) won.add(line.cells[0]);
            for (Thought& thought : deepen(root, won, depth, lines - int(thoughts.size()))) thoughts.push_back(thought);
        }
        return thoughts;
    }

private:
    // Iterative deepening. If the deadline ends an iteration early, the lines that it has found come first.
    // root: the moves to search; won: the move that is not among them because it is known to win, if any.
    Thoughts deepen(const MoveList& root, const MoveList& won, int depth, int lines) {
        Position& position = *this->position_;
        const int left = position.plies_left(), deepest = std::min(depth ? depth : left, left);
        const int played = position.played();
        this->best_ = root.cells[0];
        this->has_best_value_ = false;
        this->taken_ = won;
        Thoughts thoughts, found;
        for (int i = 0; i < std::min(lines, root.size); i++) {
            thoughts.push_back({root.cells[i], 0, 0, 0, {}, FROM_SEARCH});
        }
        int reached = 0;
        try {
            while (reached < deepest && std::any_of(thoughts.begin(), thoughts.end(), [](const Thought& thought) {
                       return std::abs(thought.value) < PROVED_WIN;
                   })) {
                this->deadline_->check(this->nodes);
                this->taken_ = won;
                found.clear();
                while (int(found.size()) < std::min(lines, root.size)) {
                    this->root_moves_.size = 0;
                    for (int i = 0; i < root.size; i++) {
                        if (!this->taken_.has(root.cells[i])) this->root_moves_.add(root.cells[i]);
                    }
                    const int value = this->iteration(reached + 1);
                    found.push_back({this->best_, value, reached + 1, 0, {}, FROM_SEARCH});
                    this->taken_.add(this->best_);
                }
                thoughts = found;
                found.clear();
                std::stable_sort(thoughts.begin(), thoughts.end(),
                                 [](const Thought& a, const Thought& b) { return a.value > b.value; });
                reached++;
                if (progress && progress(with_lines(thoughts))) break;
            }
        } catch (TimeUp) {
            position.undo_to(played);
            if (lines == 1) {
                thoughts.resize(1);
                thoughts[0].move = this->best_;
            } else if (this->has_best_value_ && !this->taken_.has(this->best_)) {
                found.push_back({this->best_, this->best_value_, reached + 1, 0, {}, FROM_SEARCH});
            }
        }
        Thoughts all = found;
        for (const Thought& thought : thoughts) {
            const bool known = std::any_of(found.begin(), found.end(),
                                           [&](const Thought& other) { return other.move == thought.move; });
            if (!known) all.push_back(thought);
        }
        all.resize(thoughts.size());
        return with_lines(all);
    }

    // The thoughts with the nodes up to now and their principal variations.
    Thoughts with_lines(Thoughts thoughts) {
        for (Thought& thought : thoughts) {
            thought.nodes = this->nodes;
            thought.pv = line_after(thought.move, thought.depth);
        }
        return thoughts;
    }

    // The principal variation: `move`, then single replies and the table's best moves, at most `length` plies.
    std::vector<int> line_after(int move, int length) {
        Position& position = *this->position_;
        std::vector<int> line{move};
        position.play(move);
        while (int(line.size()) < length && !position.decided()) {
            MoveList moves;
            position.moves(0, moves);
            const TableEntry* entry = this->table.get(position.table_key());
            const int best = moves.size == 1 ? moves.cells[0] : entry ? entry->move : -1;
            if (!moves.has(best)) break;
            line.push_back(best);
            position.play(best);
        }
        for (size_t i = 0; i < line.size(); i++) position.undo();
        return line;
    }
};

}  // namespace tengen
