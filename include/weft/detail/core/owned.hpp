/// An owning pointer to an incomplete type.
#pragma once

#include <utility>

namespace weft::detail {

/// Owns an object whose type must be complete only where it is constructed. Movable, not copyable.
/// (`std::unique_ptr` would do the same, but includes all of <memory>.)
template <class T>
class owned {
public:
    owned() = default;
    /// Takes over an object made by `new`. T is complete here, and need not be complete anywhere else.
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
