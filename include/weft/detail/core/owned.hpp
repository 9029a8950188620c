/// A pointer that owns, for headers that do not know the type.
#pragma once

#include <utility>

namespace weft::detail {

/// Owns an object whose type only the place that makes it must know. Moves; never copies. (`std::unique_ptr`
/// would do the same and costs every header that has one all of <memory>.)
template <class T>
class owned {
public:
    owned() = default;
    /// Takes over what `new` has made. T is complete here, and need not be anywhere else.
    explicit owned(T* made) noexcept : made_(made), destroy_([](T* object) { delete object; }) {}
    owned(owned&& other) noexcept : made_(std::exchange(other.made_, nullptr)), destroy_(other.destroy_) {}
    owned& operator=(owned other) noexcept {
        std::swap(made_, other.made_);
        std::swap(destroy_, other.destroy_);
        return *this;
    }
    ~owned() {
        if (made_ != nullptr) destroy_(made_);
    }

    [[nodiscard]] T* get() const noexcept { return made_; }
    [[nodiscard]] T& operator*() const noexcept { return *made_; }
    [[nodiscard]] T* operator->() const noexcept { return made_; }
    [[nodiscard]] explicit operator bool() const noexcept { return made_ != nullptr; }

private:
    T* made_ = nullptr;
    void (*destroy_)(T*) = nullptr;
};

} // namespace weft::detail
