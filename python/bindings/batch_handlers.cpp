#include "batch_handlers.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/observe/activity.hpp>

#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>

namespace weft::python {

namespace {

class python_handler final : public batch_handler {
public:
    python_handler(communicator const& comm, nb::callable function, char const* name)
        : comm_(comm), activity_(activity_of(comm)), function_(std::move(function)), name_(name) {}
    void handle(int source, std::span<std::byte const> items) override {
        activity_scope const named(activity_, name_); // in reports of stalls
        communicator_in_use const use(comm_);
        call_python([&] { function_(nb::bytearray(items.data(), items.size()), source); });
    }

    int visit(visitproc visit, void* arg) const override {
        Py_VISIT(function_.ptr());
        return 0;
    }

private:
    communicator comm_;
    activity& activity_;
    nb::callable function_;
    char const* name_;
};

struct add {
    template <class T>
    static void apply(T& to, T value) noexcept {
        if constexpr (std::is_integral_v<T>) // wraps around, as in numpy
            to = static_cast<T>(
                static_cast<std::make_unsigned_t<T>>(to) + static_cast<std::make_unsigned_t<T>>(value));
        else
            to += value;
    }
};
struct minimum {
    template <class T>
    static void apply(T& to, T value) noexcept {
        if (value < to || value != value) to = value; // a NaN stays, as in numpy
    }
};
struct maximum {
    template <class T>
    static void apply(T& to, T value) noexcept {
        if (value > to || value != value) to = value;
    }
};

template <class T>
T read(std::byte const* at) noexcept {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <class Index, class Value, class How, bool HasValue>
class update_handler final : public batch_handler {
public:
    explicit update_handler(array_update&& update)
        : update_(std::move(update)),
          elements_(reinterpret_cast<Value*>(update_.array.data())),
          count_(update_.array.size() / sizeof(Value)) {}

    void handle(int, std::span<std::byte const> items) override {
        std::byte const* const end = items.data() + items.size();
        std::size_t const stride = update_.item_bytes;
        std::size_t const index_at = update_.index.offset;
        std::size_t const value_at = update_.value.offset;
        auto const first = static_cast<std::uint64_t>(update_.first);
        for (std::byte const* item = items.data(); item != end; item += stride) {
            Index const index = read<Index>(item + index_at);
            std::uint64_t const place = static_cast<std::uint64_t>(static_cast<std::int64_t>(index)) - first;
            if (place >= count_) [[unlikely]]
                refuse(static_cast<std::int64_t>(index));
            if constexpr (HasValue)
                How::apply(elements_[place], read<Value>(item + value_at));
            else
                How::apply(elements_[place], Value(1));
        }
    }

private:
    [[noreturn]] void refuse(std::int64_t index) const {
        throw usage_error("handlers." + update_.how + "_at: index " + std::to_string(index) + " is not in " +
                          std::to_string(update_.first) + ".." +
                          std::to_string(update_.first + static_cast<std::int64_t>(count_) - 1));
    }

    array_update update_;
    Value* elements_;
    std::size_t count_;
};

using made_handler = std::unique_ptr<batch_handler>;

template <class Index, class Value>
made_handler handler_by_operator(array_update&& update) {
    if (update.how == "add") {
        if (update.value.bytes == 0)
            return std::make_unique<update_handler<Index, Value, add, false>>(std::move(update));
        return std::make_unique<update_handler<Index, Value, add, true>>(std::move(update));
    }
    if (update.how == "minimum")
        return std::make_unique<update_handler<Index, Value, minimum, true>>(std::move(update));
    return std::make_unique<update_handler<Index, Value, maximum, true>>(std::move(update));
}

template <class Index>
made_handler handler_by_value(array_update&& update) {
    item_field const of = update.element;
    if (of.is('i', 4)) return handler_by_operator<Index, std::int32_t>(std::move(update));
    if (of.is('i', 8)) return handler_by_operator<Index, std::int64_t>(std::move(update));
    if (of.is('u', 4)) return handler_by_operator<Index, std::uint32_t>(std::move(update));
    if (of.is('u', 8)) return handler_by_operator<Index, std::uint64_t>(std::move(update));
    if (of.is('f', 4)) return handler_by_operator<Index, float>(std::move(update));
    if (of.is('f', 8)) return handler_by_operator<Index, double>(std::move(update));
    throw usage_error("handlers." + update.how + "_at: array: expected integers or floats of 4 or 8 bytes");
}

template <class T, class How>
void merge(std::byte* into, std::byte const* from) {
    T value = read<T>(into);
    How::apply(value, read<T>(from));
    std::memcpy(into, &value, sizeof value);
}

template <class How>
auto merge_of(item_field const& field) -> void (*)(std::byte*, std::byte const*) {
    if (field.is('i', 4)) return merge<std::int32_t, How>;
    if (field.is('i', 8)) return merge<std::int64_t, How>;
    if (field.is('u', 4)) return merge<std::uint32_t, How>;
    if (field.is('u', 8)) return merge<std::uint64_t, How>;
    if (field.is('f', 4)) return merge<float, How>;
    if (field.is('f', 8)) return merge<double, How>;
    throw usage_error("combine: expected fields of integers or floats of 4 or 8 bytes");
}

} // namespace

std::unique_ptr<batch_handler> make_python_handler(
    communicator const& comm, nb::callable function, std::string const& name) {
    return std::make_unique<python_handler>(comm, std::move(function), kept_name("handler " + name));
}

std::unique_ptr<batch_handler> make_update_handler(array_update&& update) {
    item_field const of = update.index;
    if (of.is('i', 4)) return handler_by_value<std::int32_t>(std::move(update));
    if (of.is('u', 4)) return handler_by_value<std::uint32_t>(std::move(update));
    if (of.is('i', 8) || of.is('u', 8)) return handler_by_value<std::int64_t>(std::move(update));
    throw usage_error("handlers." + update.how + "_at: expected an index of 4 or 8 bytes");
}

field_merger::field_merger(std::string const& how, std::vector<item_field> fields) {
    for (item_field const& each : fields) {
        if (how == "sum")
            parts_.push_back({each.offset, merge_of<add>(each)});
        else if (how == "min")
            parts_.push_back({each.offset, merge_of<minimum>(each)});
        else
            parts_.push_back({each.offset, merge_of<maximum>(each)});
    }
}

} // namespace weft::python
