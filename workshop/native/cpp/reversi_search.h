// The search of Reversi: near the end of the game, the endgame solver runs before alpha-beta.
//
// Mirrors ReversiSearch of reversi/search.py.
#pragma once

#include <memory>

#include "endgame.h"
#include "reversi_position.h"
#include "search.h"

namespace tengen {

template <int N>
class ReversiSearch : public Search<ReversiPosition<N>> {
public:
    using Position = ReversiPosition<N>;
    using Thoughts = typename Search<Position>::Thoughts;

    Thought think(Position& position, Deadline& deadline, int depth) {
        MoveList moves;
        position.moves(0, moves);
        if (moves.size > 1) return analyse(position, deadline, depth, 1)[0];
        return Search<Position>::think(position, deadline, depth);
    }

    Thoughts analyse(Position& position, Deadline& deadline, int depth, int lines) {
        const int left = position.plies_left();
        const ReversiParameters& use = position.parameters;
        if (left > use.solver_empties || depth || position.decided()) {
            return Search<Position>::analyse(position, deadline, depth, lines);
        }
        MoveList moves;
        position.moves(0, moves);
        const bool whole = left <= use.solver_only_empties;
        Deadline share = deadline.part(use.solver_share);
        Deadline& part = whole ? deadline : share;
        if (lines > 1) {
            Thoughts solved = solve_each(position, moves, part);
            if (int(solved.size()) == moves.size) {
                solved.resize(std::min(lines, moves.size));
                return solved;
            }
        } else {
            const Solution solution = solve(position, part);
            if (solution.exact() || solution.lower > 0) {
                const int value = final_value(solution.lower);
                const Source source = solution.exact() ? FROM_SOLVER : WINNER_FROM_SOLVER;
                return {{solution.move, value, left, solution.nodes, {solution.move}, source}};
            }
        }
        if (!whole) deadline.spent += part.spent;
        return Search<Position>::analyse(position, deadline, depth, lines);
    }

private:
    Solution solve(Position& position, Deadline& deadline) {
        if (!solver_) solver_ = std::make_unique<Solver<N>>(size_t(position.parameters.solver_entries));
        const Solution solution = solver_->solve(position.discs(BLACK), position.discs(WHITE), position.side, deadline);
        deadline.spent += solution.nodes;
        return solution;
    }

    // The moves with their exact values, best first; moves that the solver does not finish are left out.
    Thoughts solve_each(Position& position, const MoveList& moves, Deadline& deadline) {
        Thoughts thoughts;
        for (int i = 0; i < moves.size; i++) {
            const int move = moves.cells[i];
            position.play(move);
            const Solution solution = solve(position, deadline);
            MoveList replies;
            position.moves(0, replies);
            position.undo();
            if (!solution.exact()) continue;
            std::vector<int> pv{move};
            if (replies.has(solution.move)) pv.push_back(solution.move);
            const int value = -final_value(solution.lower), left = position.plies_left();
            thoughts.push_back({move, value, left, solution.nodes, pv, FROM_SOLVER});
        }
        std::stable_sort(thoughts.begin(), thoughts.end(),
                         [](const Thought& a, const Thought& b) { return a.value > b.value; });
        return thoughts;
    }

    std::unique_ptr<Solver<N>> solver_;
};

}  // namespace tengen
