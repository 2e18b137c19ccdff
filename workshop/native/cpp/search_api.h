// A search as Python asks for it, for every game. Thoughts go to Python as one array of 64-bit numbers.
#pragma once

#include <new>

#include "search.h"

namespace tengen {

constexpr int64_t NO_MEMORY = -1;

// Mirrors Request of submission/native/library.py.
struct Request {
    double seconds;                         // infinite: no limit
    int64_t nodes, depth, lines;            // 0: no limit; lines 0: think(), else analyse()
    const std::atomic<int32_t>* stop;       // another thread sets this number to end the search
    int32_t (*progress)(int64_t size);      // called after each iteration, whose thoughts are in `out`; true: stop;
                                            // and every POLL seconds with a negative size, ~nodes
    int64_t* out;
};

// Write the number of thoughts, the nodes spent outside the search, and for each thought: move, value, depth, nodes,
// source, length of the pv, the pv. Returns how many numbers were written.
inline int64_t write(const std::vector<Thought>& thoughts, int64_t spent, int64_t* out) {
    int64_t* at = out;
    *at++ = int64_t(thoughts.size());
    *at++ = spent;
    for (const Thought& thought : thoughts) {
        for (int64_t number : {int64_t(thought.move), int64_t(thought.value), int64_t(thought.depth), thought.nodes,
                               int64_t(thought.source), int64_t(thought.pv.size())}) {
            *at++ = number;
        }
        at = std::copy(thought.pv.begin(), thought.pv.end(), at);
    }
    return at - out;
}

// Think, write the thoughts to request.out, and return how many numbers were written; NO_MEMORY if memory ran out.
template <class Position, class Searcher>
int64_t think(Searcher& search, Position& position, const Request& request) {
    try {
        Deadline deadline(request.seconds, request.nodes ? request.nodes : NO_LIMIT, *request.stop);
        search.progress = nullptr;
        if (request.progress) {
            deadline.poll = [&](int64_t nodes) { return request.progress(~nodes) != 0; };
            search.progress = [&](const std::vector<Thought>& thoughts) {
                return request.progress(write(thoughts, deadline.spent, request.out)) != 0;
            };
        }
        std::vector<Thought> thoughts;
        if (request.lines) {
            thoughts = search.analyse(position, deadline, int(request.depth), int(request.lines));
        } else {
            thoughts.push_back(search.think(position, deadline, int(request.depth)));
        }
        return write(thoughts, deadline.spent, request.out);
    } catch (const std::bad_alloc&) {
        search.table = {};
        return NO_MEMORY;
    }
}

}  // namespace tengen
