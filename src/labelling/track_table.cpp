#include <labelling/tracks.hpp>

#include <files/csv_row.hpp>

#include <fmt/format.h>

namespace weft {

namespace {

std::string between_blanks(std::span<std::int64_t const> numbers) {
    return fmt::format("{}", fmt::join(numbers, " "));
}

} // namespace

std::string table_head_of_tracks() {
    return "component,first_frame,last_frame,frame,object,size,x,y,previous,next,event\n";
}

std::string table_of(tracks const& found) {
    std::string text;
    for (std::size_t place = 0; place < found.objects.size(); ++place) {
        frame_object const& object = found.objects[place];
        auto const size = static_cast<double>(object.size);
        std::string events;
        auto const say = [&](bool holds, char const* event) {
            if (holds) events.append(events.empty() ? "" : "+").append(event);
        };
        say(found.is_birth(place), "birth");
        say(found.is_merge(place), "merge");
        say(found.is_split(place), "split");
        say(found.is_death(place), "death");
        append_csv_row(text, object.component, object.first_frame, object.last_frame, object.frame,
            object.number, object.size, fmt::format("{:.4f}", static_cast<double>(object.sum_x) / size),
            fmt::format("{:.4f}", static_cast<double>(object.sum_y) / size),
            between_blanks(found.previous.of(place)), between_blanks(found.next.of(place)), events);
    }
    return text;
}

} // namespace weft
