// Returns thoughts to Python, for every game, as one array of 64-bit numbers.
#pragma once

#include "search.h"

namespace tengen {

// Think with the limits (nodes, depth: 0 for none) and write the number of thoughts, the nodes spent outside the
// search, and for each thought: move, value, depth, nodes, source, length of the pv, the pv. lines 0: think(); else
// analyse(). Returns how many numbers were written.
template <class Position, class Searcher>
int64_t think(Searcher& search, Position& position, double seconds, int64_t nodes, int depth, int lines, int64_t* out) {
    Deadline deadline(seconds, nodes ? nodes : NO_LIMIT);
    std::vector<Thought> thoughts;
    if (lines) {
        thoughts = search.analyse(position, deadline, depth, lines);
    } else {
        thoughts.push_back(search.think(position, deadline, depth));
    }
    int64_t* at = out;
    *at++ = int64_t(thoughts.size());
    *at++ = deadline.spent;
    for (const Thought& thought : thoughts) {
        for (int64_t number : {int64_t(thought.move), int64_t(thought.value), int64_t(thought.depth), thought.nodes,
                               int64_t(thought.source), int64_t(thought.pv.size())}) {
            *at++ = number;
        }
        for (int move : thought.pv) *at++ = move;
    }
    return at - out;
}

}  // namespace tengen
