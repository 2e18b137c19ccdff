// Reads words and numbers of a text, one after the other. The text is written by our own Python code.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace tengen {

class Text {
public:
    explicit Text(const char* text) : at_(text) { skip(); }

    bool ended() const { return !*at_; }

    std::string word() {
        const char* begin = at_;
        while (*at_ > ' ') at_++;
        const std::string found(begin, at_);
        skip();
        return found;
    }

    int64_t number() { return std::strtoll(word().c_str(), nullptr, 10); }

private:
    void skip() {
        while (*at_ && *at_ <= ' ') at_++;
    }

    const char* at_;
};

}  // namespace tengen
