// What cannot travel is refused where it is written, with a reason.
#include <weft/wire/wire.hpp>

#include <string_view>
#include <vector>

namespace {

weft::buffer out;

struct no_hook {
    std::vector<int> items;
};

struct instance_hook {
    std::vector<int> items;
    void wire(auto& archive) { archive(items); }
};

struct with_pointer {
    int count;
    double const* values;
};

struct inside {
    with_pointer each[2];
};

struct with_view {
    int before[3];
    std::string_view name;
};

} // namespace

void good() {
    weft::encode(out, 7);
    weft::encode(out, std::vector<int>{1, 2});
}

#if WEFT_SECTION == 1
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
void pointer(int* where) {
    weft::encode(out, where);
}
#endif

#if WEFT_SECTION == 2
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
void view(std::string_view text) {
    weft::encode(out, text);
}
#endif

#if WEFT_SECTION == 3
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
void without_hook(no_hook const& value) {
    weft::encode(out, value);
}
#endif

#if WEFT_SECTION == 4
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
void hook_is_not_static(instance_hook const& value) {
    weft::encode(out, value);
}
#endif

#if WEFT_SECTION == 5
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
int* decoded_pointer(std::span<std::byte const> bytes) {
    return weft::decode<int*>(bytes);
}
#endif

#if WEFT_SECTION == 6
// EXPECT-ERROR: weft: this type cannot travel: a pointer, a view, or a type without a hook
int* pointer_of_a_reader(weft::wire_reader& reader) {
    return weft::decode<int*>(reader);
}
#endif

#if WEFT_SECTION == 7
// EXPECT-ERROR: weft: this type cannot travel: one of its members is a pointer or a view
void pointer_in_a_class(with_pointer const& value) {
    weft::encode(out, value);
}
#endif

#if WEFT_SECTION == 8
// EXPECT-ERROR: weft: this type cannot travel: one of its members is a pointer or a view
void pointer_in_an_array_in_a_class(inside const& value) {
    weft::encode(out, value);
}
#endif

#if WEFT_SECTION == 9
// EXPECT-ERROR: weft: this type cannot travel: one of its members is a pointer or a view
void view_in_a_class(with_view const& value) {
    weft::encode(out, value);
}
#endif
