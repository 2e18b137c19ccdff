// The limits of a search: mirrors Deadline of submission/search/clock.py, but without its reserves of time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

namespace tengen {

constexpr int CHECK_MASK = 15;                          // the deadline is checked every 16 nodes
constexpr double POLL = 0.005;                           // seconds between two calls of Deadline::poll
constexpr int64_t NO_LIMIT = std::numeric_limits<int64_t>::max();

// Thrown when the seconds or the nodes are used up. The caller of the search restores the position.
struct TimeUp {};

class Deadline {
public:
    // nodes: NO_LIMIT for none; seconds: infinite for none; stop: a number that another thread sets to end the search.
    Deadline(double seconds, int64_t nodes, const std::atomic<int32_t>& stop)
        : nodes(nodes), seconds_(seconds), started_(now()), stop_(stop) {}

    const int64_t nodes;
    int64_t spent = 0;                  // nodes used outside the search, by threat searches or the endgame solver
    std::function<bool(int64_t nodes)> poll;    // called every POLL seconds with the nodes so far; true: stop

    // Whether the limit is reached; visited: search nodes so far.
    bool reached(int64_t visited) {
        if ((nodes != NO_LIMIT && visited + spent >= nodes) || stop_.load(std::memory_order_relaxed)) return true;
        const double seconds = elapsed();
        if (poll && seconds >= polled_ + POLL) {
            polled_ = seconds;
            if (poll(visited + spent)) return true;
        }
        return seconds >= seconds_;
    }

    void check(int64_t visited) {
        if (reached(visited)) throw TimeUp();
    }

    double elapsed() const { return now() - started_; }

    // A deadline with a share of this deadline's seconds and nodes.
    Deadline part(double share) const {
        Deadline part(seconds_ * share, nodes == NO_LIMIT ? NO_LIMIT : int64_t(double(nodes) * share), stop_);
        part.started_ = started_;
        part.poll = poll;
        return part;
    }

    // As int(min(most, share * nodes)) in the Python code.
    int64_t at_most(int64_t most, double share) const {
        if (nodes == NO_LIMIT) return most;
        double part = share * double(nodes);
        return part < double(most) ? int64_t(part) : most;
    }

private:
    static double now() {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }

    double seconds_, started_, polled_ = 0;
    const std::atomic<int32_t>& stop_;
};

}  // namespace tengen
