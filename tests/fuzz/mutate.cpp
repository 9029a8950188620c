#include "mutate.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>

namespace weft_test {

namespace {

class damage {
public:
    damage(std::string& content, std::uint64_t seed) : content_(content), random_(seed) {}

    void strike() {
        if (content_.empty()) {
            insert();
            return;
        }
        switch (below(10)) {
        case 0:
            content_[place()] ^= static_cast<char>(1U << below(8));
            break;
        case 1:
            content_[place()] = static_cast<char>(random_());
            break;
        case 2:
            write_number();
            break;
        case 3:
        case 4:
            replace_digits();
            break;
        case 5:
            content_.erase(place(), 1 + below(below(4) == 0 ? content_.size() : 8));
            break;
        case 6:
            content_.resize(below(content_.size() + 1));
            break;
        case 7:
            copy_part();
            break;
        case 8:
            insert();
            break;
        default:
            exchange_lines();
        }
    }

    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

private:
    std::size_t place() { return below(content_.size()); }

    /// An extreme binary number somewhere, of either byte order.
    void write_number() {
        constexpr std::uint64_t numbers[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
            0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
            0x7ff0000000000000, 0x7fc00000};
        std::uint64_t number = numbers[below(std::size(numbers))];
        if (below(4) == 0) number = random_();
        std::size_t const bytes = std::size_t{1} << below(4);
        char raw[8];
        for (std::size_t i = 0; i < bytes; ++i) raw[i] = static_cast<char>(number >> 8 * i);
        if (below(2) == 0) std::reverse(raw, raw + bytes);
        std::size_t const at = place();
        std::memcpy(content_.data() + at, raw, std::min(bytes, content_.size() - at));
    }

    /// Another number where one stands in text.
    void replace_digits() {
        constexpr char const* numbers[] = {"0", "1", "-1", "2", "3", "255", "65536", "2147483647",
            "2147483648", "4294967295", "4294967300", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808", "1e308", "1e-320", "nan", "inf", "0x10", "", "1.5",
            "00000000000000000001", "99999999999999999999999"};
        auto const is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
        auto const from = content_.begin() + static_cast<std::ptrdiff_t>(place());
        auto const first = std::find_if(from, content_.end(), is_digit);
        if (first == content_.end()) return write_number();
        auto const last = std::find_if_not(first, content_.end(), is_digit);
        content_.replace(first, last, numbers[below(std::size(numbers))]);
    }

    void copy_part() {
        std::size_t const from = place();
        std::string const part = content_.substr(from, 1 + below(32));
        std::size_t const at = place();
        if (below(2) == 0)
            content_.insert(at, part);
        else
            content_.replace(at, part.size(), part);
    }

    void insert() {
        std::string part(1 + below(8), '\0');
        bool const is_text = below(2) == 0;
        for (char& each : part)
            each = is_text ? "0123456789 \n\t-.,;\"<>/%#aeE"[below(26)] : static_cast<char>(random_());
        content_.insert(below(content_.size() + 1), part);
    }

    void exchange_lines() {
        auto const line = [&](std::size_t at) {
            std::size_t const before = at == 0 ? content_.npos : content_.rfind('\n', at - 1);
            std::size_t const begin = before == content_.npos ? 0 : before + 1;
            std::size_t const end = content_.find('\n', at);
            return std::pair{begin, end == content_.npos ? content_.size() : end};
        };
        auto one = line(place()), other = line(place());
        if (one.first > other.first) std::swap(one, other);
        if (one.second > other.first) return;
        std::string const first = content_.substr(one.first, one.second - one.first);
        std::string const second = content_.substr(other.first, other.second - other.first);
        content_.replace(other.first, second.size(), first);
        content_.replace(one.first, first.size(), second);
    }

    std::string& content_;
    std::mt19937_64 random_;
};

} // namespace

std::string damaged(std::string content, std::uint64_t seed) {
    damage does(content, seed);
    for (std::uint64_t strikes = 1 + does.below(4); strikes > 0; --strikes) does.strike();
    return content;
}

} // namespace weft_test
