#include <meshes/vtk_mesh.hpp>

#include <core/lower_case.hpp>
#include <grids/vtk/vtk_ghosts.hpp>
#include <grids/vtk/vtk_xml.hpp>
#include <meshes/vtk_legacy_cells.hpp>

#include <weft/core/error.hpp>

#ifdef WEFT_WITH_VTK
#include <grids/vtk/vtk_complaints.hpp>

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkCellTypes.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>
#endif

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <utility>

namespace weft {

namespace {

std::string suffix_of(std::filesystem::path const& file) {
    return in_lower_case(file.extension().string());
}

} // namespace

bool is_legacy_mesh(std::filesystem::path const& file) {
    std::ifstream in(file, std::ios::binary);
    std::string head(1024, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
    std::ranges::transform(head, head.begin(), [](unsigned char c) { return std::toupper(c); });
    std::size_t const dataset = head.find("\nDATASET");
    return dataset != std::string::npos &&
           head.substr(dataset, head.find('\n', dataset + 1) - dataset).find("UNSTRUCTURED_GRID") !=
               std::string::npos;
}

std::vector<std::filesystem::path> vtk_mesh_pieces(std::filesystem::path const& file) {
    if (suffix_of(file) != ".pvtu") return {file};
    std::vector<std::filesystem::path> pieces;
    for (std::string const& each : vtk_xml_attributes(file, "Source"))
        pieces.push_back(file.parent_path() / each);
    if (pieces.empty())
        throw io_error(file.string() + ": expected at least one piece with a Source, found none");
    return pieces;
}

#ifdef WEFT_WITH_VTK

namespace {

/// A type of cell of VTK as a kind of Weft: for each corner, its number in VTK.
struct known_cell {
    int type;
    cell_kind kind;
    std::array<std::uint8_t, 8> corners;
};

constexpr known_cell known_cells[] = {
    {VTK_TETRA, cell_kind::tetrahedron, {0, 1, 2, 3}},
    {VTK_PYRAMID, cell_kind::pyramid, {0, 1, 2, 3, 4}},
    {VTK_WEDGE, cell_kind::prism, {0, 1, 2, 3, 4, 5}},
    {VTK_HEXAHEDRON, cell_kind::hexahedron, {0, 1, 2, 3, 4, 5, 6, 7}},
    {VTK_VOXEL, cell_kind::hexahedron, {0, 1, 3, 2, 4, 5, 7, 6}},
};

/// A type of cell of higher order. Its corners come before its other points.
struct curved_cell {
    int type;
    cell_kind kind;
    vtkIdType points; // 0: any number, by its order
};

constexpr curved_cell curved_cells[] = {
    {VTK_QUADRATIC_TETRA, cell_kind::tetrahedron, 10},
    {VTK_QUADRATIC_HEXAHEDRON, cell_kind::hexahedron, 20},
    {VTK_TRIQUADRATIC_HEXAHEDRON, cell_kind::hexahedron, 27},
    {VTK_BIQUADRATIC_QUADRATIC_HEXAHEDRON, cell_kind::hexahedron, 24},
    {VTK_QUADRATIC_WEDGE, cell_kind::prism, 15},
    {VTK_QUADRATIC_LINEAR_WEDGE, cell_kind::prism, 12},
    {VTK_BIQUADRATIC_QUADRATIC_WEDGE, cell_kind::prism, 18},
    {VTK_QUADRATIC_PYRAMID, cell_kind::pyramid, 13},
    {VTK_TRIQUADRATIC_PYRAMID, cell_kind::pyramid, 19},
    {VTK_LAGRANGE_TETRAHEDRON, cell_kind::tetrahedron, 0},
    {VTK_LAGRANGE_HEXAHEDRON, cell_kind::hexahedron, 0},
    {VTK_LAGRANGE_WEDGE, cell_kind::prism, 0},
    {VTK_LAGRANGE_PYRAMID, cell_kind::pyramid, 0},
    {VTK_BEZIER_TETRAHEDRON, cell_kind::tetrahedron, 0},
    {VTK_BEZIER_HEXAHEDRON, cell_kind::hexahedron, 0},
    {VTK_BEZIER_WEDGE, cell_kind::prism, 0},
    {VTK_BEZIER_PYRAMID, cell_kind::pyramid, 0},
};

constexpr int flat_cells[] = {VTK_EMPTY_CELL, VTK_VERTEX, VTK_POLY_VERTEX, VTK_LINE, VTK_POLY_LINE,
    VTK_TRIANGLE, VTK_TRIANGLE_STRIP, VTK_POLYGON, VTK_PIXEL, VTK_QUAD, VTK_QUADRATIC_EDGE, VTK_CUBIC_LINE,
    VTK_QUADRATIC_TRIANGLE, VTK_BIQUADRATIC_TRIANGLE, VTK_QUADRATIC_QUAD, VTK_BIQUADRATIC_QUAD,
    VTK_QUADRATIC_LINEAR_QUAD, VTK_QUADRATIC_POLYGON, VTK_LAGRANGE_CURVE, VTK_LAGRANGE_TRIANGLE,
    VTK_LAGRANGE_QUADRILATERAL, VTK_BEZIER_CURVE, VTK_BEZIER_TRIANGLE, VTK_BEZIER_QUADRILATERAL};

/// A cell of a file as a kind of Weft.
struct read_cell {
    known_cell as;
    bool is_curved;
    vtkIdType points; // 0: at least as many as corners
};

std::string name_of(vtkDataArray& array) {
    return array.GetName() ? array.GetName() : "an array without a name";
}

/// Returns true if all pieces of a file are empty. These may lack parts that VTK's reader expects.
bool is_empty_piece(std::filesystem::path const& file) {
    if (suffix_of(file) == ".vtk") return false;
    check_vtk_xml_mesh(file);
    vtk_xml_head const head = read_vtk_xml_head(file_handle::open_to_read(file));
    return !head.attributes("NumberOfPoints").empty() &&
           std::ranges::all_of(
               head.tags, [](vtk_xml_tag const& tag) { return !tag.is("Piece") || is_empty_vtk_piece(tag); });
}

class vtk_mesh_file {
public:
    explicit vtk_mesh_file(std::filesystem::path const& file) : file_(file.string()) {
        if (suffix_of(file) == ".vtk") {
            check_vtk_legacy_cells(file);
            vtkNew<vtkUnstructuredGridReader> reader; // reads one array of each sort by default
            reader->ReadAllScalarsOn();
            reader->ReadAllVectorsOn();
            reader->ReadAllNormalsOn();
            reader->ReadAllTensorsOn();
            reader->ReadAllTCoordsOn();
            reader->ReadAllFieldsOn();
            load_by(*reader);
        } else {
            check_vtk_xml_mesh(file);
            vtkNew<vtkXMLUnstructuredGridReader> reader;
            if (auto const text = vtk_xml_without_empty_pieces(file)) {
                reader->ReadFromInputStringOn();
                reader->SetInputString(*text);
            }
            load_by(*reader);
        }
    }

    mesh_piece piece(mesh_request const& wanted) {
        mesh_piece made;
        take_points(made);
        std::vector<vtkIdType> const kept = take_cells(made);
        if (grid_->GetNumberOfPoints() > 0) take_arrays(wanted, kept, made);
        return made;
    }

private:
    template <class Reader>
    void load_by(Reader& reader) {
        vtk_complaints const heard;
        reader.SetFileName(file_.c_str());
        reader.Update();
        grid_ = reader.GetOutput();
        if (!heard.first().empty()) throw io_error(file_ + ": " + in_one_line(heard.first()));
        if (!grid_ || reader.GetErrorCode() != 0) throw io_error(file_ + ": VTK cannot read it");
    }

    void take_points(mesh_piece& into) const {
        vtkIdType const points = grid_->GetNumberOfPoints();
        into.places.resize(static_cast<std::size_t>(points));
        for (vtkIdType i = 0; i < points; ++i)
            grid_->GetPoint(i, into.places[static_cast<std::size_t>(i)].data());
        vtkDataArray* const ids = grid_->GetPointData()->GetGlobalIds();
        if (!ids || ids->GetNumberOfTuples() != points) return;
        for (vtkIdType i = 0; i < points; ++i)
            into.point_ids.push_back(static_cast<global_id>(ids->GetComponent(i, 0)));
    }

    [[nodiscard]] read_cell known(vtkIdType cell, int type) const {
        for (known_cell const& each : known_cells)
            if (each.type == type) return {each, false, static_cast<vtkIdType>(corners_of(each.kind))};
        for (curved_cell const& each : curved_cells)
            if (each.type == type) return {{type, each.kind, {0, 1, 2, 3, 4, 5, 6, 7}}, true, each.points};
        char const* const name = vtkCellTypes::GetClassNameFromTypeId(type);
        throw io_error(
            file_ + ": its cell " + std::to_string(cell) + " is of VTK's type " + std::to_string(type) +
            (name && *name ? std::string(" (") + name + ")" : "") +
            "; known are tetrahedra, pyramids, wedges, voxels and hexahedra, also of higher order");
    }

    /// Returns the cells that are not left out.
    [[nodiscard]] std::vector<vtkIdType> take_cells(mesh_piece& into) const {
        std::vector<vtkIdType> kept;
        vtkUnsignedCharArray* const ghosts = grid_->GetCellGhostArray();
        vtkUnsignedCharArray* const point_ghosts = grid_->GetPointGhostArray();
        constexpr unsigned char elsewhere =
            vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::REFINEDCELL |
            vtkDataSetAttributes::EXTERIORCELL | vtkDataSetAttributes::HIDDENCELL;
        for (vtkIdType cell = 0; cell < grid_->GetNumberOfCells(); ++cell) {
            if (ghosts && (ghosts->GetValue(cell) & elsewhere) != 0) continue;
            int const type = grid_->GetCellType(cell);
            if (std::ranges::find(flat_cells, type) != std::end(flat_cells)) {
                ++into.left_out;
                continue;
            }
            auto const [as, is_curved, points] = known(cell, type);
            vtkIdType count = 0;
            vtkIdType const* corners = nullptr;
            grid_->GetCells()->GetCellAtId(cell, count, corners);
            auto const least = static_cast<vtkIdType>(corners_of(as.kind));
            if (points > 0 ? count != points : count < least)
                throw io_error(file_ + ": its cell " + std::to_string(cell) + " has " +
                               std::to_string(count) + " corners; expected " +
                               std::to_string(points > 0 ? points : least));
            for (std::size_t c = 0; c < corners_of(as.kind); ++c) {
                vtkIdType const corner = corners[as.corners[c]];
                if (corner < 0 || corner >= grid_->GetNumberOfPoints())
                    throw io_error(file_ + ": its cell " + std::to_string(cell) + " has the corner " +
                                   std::to_string(corner) + ", and there are " +
                                   std::to_string(grid_->GetNumberOfPoints()) + " points");
                into.corners.push_back(corner);
            }
            auto const is_hidden = [&](vtkIdType corner) {
                return point_ghosts &&
                       (point_ghosts->GetValue(corner) & vtkDataSetAttributes::HIDDENPOINT) != 0;
            };
            if (std::any_of(corners, corners + count, is_hidden)) {
                into.corners.resize(into.corners.size() - corners_of(as.kind));
                continue;
            }
            into.kinds.push_back(as.kind);
            if (is_curved) ++into.straightened;
            kept.push_back(cell);
        }
        return kept;
    }

    void take_arrays(mesh_request const& wanted, std::vector<vtkIdType> const& kept, mesh_piece& into) const {
        if (wanted.all)
            for (found_array const& each : all_arrays())
                if (name_of(*each.array) != name_of_ghosts) into.arrays.push_back(taken(each, kept));
        if (wanted.field)
            if (found_array const found = field_named(*wanted.field, wanted); found.array)
                into.arrays.push_back(taken(found, kept));
        for (std::string const& each : wanted.carried) into.arrays.push_back(taken(array_named(each), kept));
    }

    struct found_array {
        vtkDataArray* array = nullptr;
        bool of_cells = false;
    };

    [[nodiscard]] std::vector<found_array> all_arrays() const {
        std::vector<found_array> all;
        auto const add = [&](vtkDataSetAttributes& of, bool of_cells) {
            for (int i = 0; i < of.GetNumberOfArrays(); ++i)
                if (vtkDataArray* const array = of.GetArray(i)) all.push_back({array, of_cells});
        };
        add(*grid_->GetPointData(), false);
        add(*grid_->GetCellData(), true);
        return all;
    }
    [[nodiscard]] found_array array_named(std::string const& name) const {
        std::string known;
        for (found_array const& each : all_arrays()) {
            if (name_of(*each.array) == name) return each;
            known += (known.empty() ? "" : ", ") + name_of(*each.array);
        }
        throw usage_error(
            file_ + ": has no values called '" + name + "'; there are " + (known.empty() ? "none" : known));
    }
    /// Returns the field; null if there is none and the request allows that.
    [[nodiscard]] found_array field_named(std::string const& name, mesh_request const& wanted) const {
        if (!name.empty()) {
            found_array const found = array_named(name);
            if (found.array->GetNumberOfComponents() != 1)
                throw usage_error(file_ + ": '" + name + "' has " +
                                  std::to_string(found.array->GetNumberOfComponents()) +
                                  " values each; expected an array of single values");
            if (found.of_cells && !wanted.field_may_be_of_cells)
                throw usage_error(file_ + ": '" + name + "' has values of cells; expected values of points");
            return found;
        }
        vtkDataArray* const scalars = grid_->GetPointData()->GetScalars();
        if (scalars && scalars->GetNumberOfComponents() == 1 && name_of(*scalars) != name_of_ghosts)
            return {scalars, false};
        for (found_array const& each : all_arrays())
            if (each.array->GetNumberOfComponents() == 1 &&
                (!each.of_cells || wanted.field_may_be_of_cells) && name_of(*each.array) != name_of_ghosts)
                return each;
        if (wanted.field_may_be_absent) return {};
        throw usage_error(file_ + ": has no array of single values" +
                          (wanted.field_may_be_of_cells ? "" : " at its points"));
    }

    [[nodiscard]] mesh_array taken(found_array const& from, std::vector<vtkIdType> const& kept) const {
        vtkDataArray& array = *from.array;
        vtkIdType const tuples = from.of_cells ? grid_->GetNumberOfCells() : grid_->GetNumberOfPoints();
        if (array.GetNumberOfTuples() != tuples)
            throw io_error(file_ + ": '" + name_of(array) + "' has " +
                           std::to_string(array.GetNumberOfTuples()) + " values; expected " +
                           std::to_string(tuples));
        int const components = array.GetNumberOfComponents();
        mesh_array made{{name_of(array), components, {}}, from.of_cells};
        auto const take = [&](vtkIdType tuple) {
            for (int c = 0; c < components; ++c) made.what.values.push_back(array.GetComponent(tuple, c));
        };
        if (from.of_cells)
            for (vtkIdType const each : kept) take(each);
        else
            for (vtkIdType i = 0; i < tuples; ++i) take(i);
        return made;
    }

    std::string file_;
    vtkSmartPointer<vtkUnstructuredGrid> grid_;
};

} // namespace

mesh_piece read_vtk_mesh(std::filesystem::path const& file, mesh_request const& wanted) {
    return is_empty_piece(file) ? mesh_piece{} : vtk_mesh_file(file).piece(wanted);
}

#endif

} // namespace weft
