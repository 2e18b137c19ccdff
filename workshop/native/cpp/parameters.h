// The parameters of an engine and the numbers of its evaluator, filled by Python, which has all defaults.
//
// Mirrors submission/search/parameters.py and the parameters.py of both games by name. submission/native/parameters.py has
// the same fields in the same order. All fields are 64 bits wide, so that the layout is the same in both languages.
#pragma once

#include <cstdint>

namespace tengen {

constexpr int UNLIMITED = 1000000000;
constexpr int MOST_DEPTHS = 64;             // most items of a tuple by depth
constexpr int REDUCTION_SIZE = 32;          // rows (depth) and columns (move number) of the reduction tables

// A tuple with one item per depth; the first is for depth 0.
struct ByDepth {
    int64_t size;
    int64_t items[MOST_DEPTHS];

    // The item of a depth; the last item holds for all greater depths.
    int64_t at(int depth) const { return items[depth < size ? depth : size - 1]; }
};

struct SearchParameters {
    int64_t table_entries, killers, null_window, improving_plies, improving_depth;
    int64_t iir_depth, forced_replies, extension_plies;
    ByDepth futility, razoring;             // margins as AlphaBeta._prepare() makes them, of equal length
    ByDepth probcut_depths;
    int64_t reductions[REDUCTION_SIZE][REDUCTION_SIZE];
    int64_t reductions_not_improving[REDUCTION_SIZE][REDUCTION_SIZE];
};

struct KInARowParameters : SearchParameters {
    int64_t fours_in_candidates, learnt_order;
    ByDepth widths;                         // root_candidates, then candidates
    int64_t root_nodes, vcf_nodes, vcf_depth, vct_effort, effort_from_value, hold_nodes, hold_part, defence_nodes;
    double root_share, hold_share;
    ByDepth vct_nodes;                      // a 0 for depth 0, then the parameter's items

    // The evaluator and its weights.
    int64_t network;                        // 1: NetworkEvaluator, 0: LinesEvaluator
    int64_t below, above, least_best;       // of lazy evaluation
    int64_t effort_at, effort_step, most_effort;
    int64_t moving[11], waiting[11], board[4][2];
};

constexpr int STAGES = 10;                  // stages of the evaluation of Reversi

struct ReversiParameters : SearchParameters {
    int64_t ordered_depth, reply_rank, valued_depth, value_rank, few_discs, solver_empties, solver_only_empties, solver_entries;
    double probcut_margin, solver_share;

    // The evaluator: CellListEvaluator and its weights.
    double deviation[STAGES];
    int64_t stages[129], turn[129], mobility[129];      // by the number of discs
    int64_t rank[128];                      // of each cell in the move order
};

}  // namespace tengen
