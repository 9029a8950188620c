#include <labelling/paint_labels.hpp>

namespace weft {

namespace {

template <class Label>
std::vector<Label> paint(row_runs const& rows, label_layer const& layer) {
    auto const width = static_cast<std::size_t>(rows.width());
    std::vector<Label> labels;
    labels.reserve(width * rows.rows());
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        std::size_t const start = labels.size();
        for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run) {
            labels.resize(start + static_cast<std::size_t>(rows.runs[run].begin));
            labels.resize(start + static_cast<std::size_t>(rows.runs[run].end),
                static_cast<Label>(layer.number_of(run)));
        }
        labels.resize(start + width);
    }
    return labels;
}

} // namespace

painted_box paint_labels(row_runs const& rows, label_layer const& layer, bool wide) {
    painted_box painted{rows.bounds, {}, {}};
    if (wide)
        painted.wide = paint<std::int64_t>(rows, layer);
    else
        painted.narrow = paint<std::int32_t>(rows, layer);
    return painted;
}

} // namespace weft
