#include <grids/values/text_values.hpp>

#include <core/number_text.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace weft {

namespace {

class text_values final : public value_reader {
public:
    text_values(text_cursor in, std::vector<text_place> places, value_type type, std::string type_name)
        : in_(std::move(in)), places_(std::move(places)), type_(type), type_name_(std::move(type_name)) {
        in_.go_to(places_[0]);
    }

    void read(std::int64_t first, std::span<std::byte> into) override {
        go_to(first);
        visit_values(type_, into, [&]<class T>(std::span<T const> typed) {
            for (std::size_t i = 0; i < typed.size(); ++i) {
                note_place();
                T const value = value_in_range<T>();
                ++next_;
                std::memcpy(into.data() + i * sizeof value, &value, sizeof value);
            }
        });
    }

private:
    void go_to(std::int64_t first) {
        auto const known = static_cast<std::int64_t>(places_.size()) - 1;
        std::int64_t const nearest = std::min(first / words_between_places, known);
        if (next_ > first || next_ < nearest * words_between_places) {
            in_.go_to(places_[static_cast<std::size_t>(nearest)]);
            next_ = nearest * words_between_places;
        }
        while (next_ < first) {
            note_place();
            std::int64_t const behind = next_ - next_ % words_between_places + words_between_places;
            std::int64_t const count = std::min(first, behind) - next_;
            in_.skip_words(count);
            next_ += count;
        }
    }

    void note_place() {
        if (next_ % words_between_places == 0 &&
            next_ / words_between_places == static_cast<std::int64_t>(places_.size()))
            places_.push_back(in_.place());
    }

    template <class T>
    T value_in_range() {
        if constexpr (std::is_integral_v<T> && sizeof(T) == 8) { // a double cannot represent all of them
            return in_.whole_value<T>();
        } else {
            double const value = in_.value();
            if constexpr (std::is_integral_v<T>) {
                if (!(value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                        value <= static_cast<double>(std::numeric_limits<T>::max())) ||
                    value != std::floor(value))
                    in_.fail("expected a value of type " + type_name_ + ", found " + number_text(value));
            }
            return static_cast<T>(value);
        }
    }

    text_cursor in_;
    std::vector<text_place> places_;
    value_type type_;
    std::string type_name_;
    std::int64_t next_ = 0; // index of the next value in the text
};

} // namespace

std::unique_ptr<value_reader> values_in_text(
    text_cursor in, std::vector<text_place> places, value_type type, std::string type_name) {
    return std::make_unique<text_values>(std::move(in), std::move(places), type, std::move(type_name));
}

} // namespace weft
