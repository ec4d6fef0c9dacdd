#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "geofact/fact/names.hpp"
#include "geofact/fact/text.hpp"
#include "geofact/foundation/matrix.hpp"
#include "geofact/io/npy.hpp"
#include "geofact/io/npz.hpp"
#include "geofact/io/safetensors.hpp"

namespace geofact::probe {

/// The lines of a text, each a name; blank lines at the end do not count. Throws for a name that stands twice, or none.
inline names parse_names(std::string_view text, const std::string& source) {
  names all;
  index_t line = 1;
  while (!text.empty()) {
    const auto end = (std::min)(text.find('\n'), text.size());
    const auto name = trimmed(text.substr(0, end));
    text.remove_prefix((std::min)(end + 1, text.size()));
    if (name.empty() && trimmed(text).empty()) break;
    require(!name.empty(), source, ':', line, ": the name is empty");
    const int id = all.intern(std::string(name));
    require(id == line - 1, source, ':', line, ": ", in_quotes(name), " stands already on line ", id + 1);
    ++line;
  }
  require(all.size() > 0, source, ": no names");
  return all;
}

/// Hidden states of subjects in a file of [layers, subjects, width] or [subjects, width] numbers: .npy, .npz (without
/// compression) or .safetensors, of any real type. The file is mapped: one layer at a time is read.
///
/// A safetensors file of examples/export_hidden_states.py also names its subjects and layers and has a vector for each
/// answer. For other files the names come from a text with one name a line, in the order of the subjects.
class hidden_states {
 public:
  /// `tensor` is the name in an archive; empty: "states", or the only tensor. `subjects` is a file of names; empty: the
  /// names in the metadata. Throws for files that cannot be read, shapes that are no states, and names that do not fit.
  explicit hidden_states(const std::string& path, const std::string& tensor = "", const std::string& subjects = "")
      : states_(open(path, tensor)) {
    require(states_->axes() == 2 || states_->axes() == 3, states_->source(), ": shape ", shape_text(states_->shape()),
            " is neither [subjects, width] nor [layers, subjects, width]");
    require(states_->count() > 0, states_->source(), ": shape ", shape_text(states_->shape()), " holds no numbers");
    if (!subjects.empty())
      subjects_ = parse_names(read_file(subjects), subjects);
    else if (const auto* text = metadata("subjects"))
      subjects_ = parse_names(*text, path + ": subjects");
    else
      geofact::detail::fail({path, ": it does not name its subjects; give a file with one name a line"});
    require(subjects_.size() == this->subjects(), path, ": states of ", this->subjects(), " subjects, but ",
            subjects_.size(), " names");
    for (index_t l = 0; l < layers(); ++l) layer_names_.push_back(std::to_string(l));
    if (const auto* text = metadata("layers")) name_layers(*text, path);
    if (safetensors_ && safetensors_->contains("answers")) read_answers(path);
  }

  index_t layers() const { return states_->axes() == 3 ? states_->shape()[0] : 1; }
  index_t subjects() const { return states_->shape()[states_->shape().size() - 2]; }
  index_t width() const { return states_->shape().back(); }
  const names& subject_names() const { return subjects_; }
  const std::string& layer_name(index_t l) const { return layer_names_[static_cast<std::size_t>(l)]; }

  /// The states of one layer; the file's memory for it is let go. Throws, with subject and coordinate, for a number
  /// that is not finite.                                                              // (width, subjects)
  matrix<float> layer(index_t l) const {
    const tensor_view view = states_->axes() == 3 ? states_->slice(l) : *states_;
    matrix<float> states = view.transposed().to_matrix<float>();
    if (view.is_row_major()) release(view);
    if (!states.allFinite())
      for (index_t s = 0; s < states.cols(); ++s)
        for (index_t i = 0; i < states.rows(); ++i)
          require(std::isfinite(states(i, s)), view.source(), ": row ", s, " (",
                  in_quotes(subjects_[static_cast<int>(s)]), "), column ", i, " is not finite");
    return states;
  }

  /// A vector for each answer, where the file has them.                          // (width of answers, answers)
  const matrix<float>& answers() const { return answers_; }
  const names& answer_names() const { return answer_names_; }

  /// What the file says about itself, or nullptr.
  const std::string* metadata(const std::string& key) const {
    if (!safetensors_) return nullptr;
    const auto found = safetensors_->metadata().find(key);
    return found == safetensors_->metadata().end() ? nullptr : &found->second;
  }

 private:
  std::optional<tensor_view> open(const std::string& path, const std::string& tensor) {
    if (path.ends_with(".npy")) {
      npy_ = std::make_unique<npy_file>(path);
      return npy_->values();
    }
    if (path.ends_with(".npz")) {
      npz_ = std::make_unique<npz_file>(path);
      return (*npz_)[choose(npz_->names(), tensor)];
    }
    require(path.ends_with(".safetensors"), path, ": hidden states are read from .npy, .npz and .safetensors");
    safetensors_ = std::make_unique<safetensors_file>(path);
    std::vector<std::string> all;
    for (const auto& e : safetensors_->entries()) all.push_back(e.name);
    return (*safetensors_)[choose(all, tensor)];
  }

  static std::string choose(const std::vector<std::string>& all, const std::string& wanted) {
    return !wanted.empty() ? wanted : all.size() == 1 ? all[0] : "states";
  }

  void release(const tensor_view& view) const {
    if (npy_) npy_->file().release(view.bytes());
    if (npz_) npz_->release(view);
    if (safetensors_) safetensors_->release(view);
  }

  void name_layers(const std::string& text, const std::string& path) {
    std::vector<std::string> all(1);
    for (const char c : text) {
      if (c == ',')
        all.emplace_back();
      else
        all.back() += c;
    }
    require(std::ssize(all) == layers(), path, ": ", layers(), " layers, but ", all.size(), " names of layers");
    layer_names_ = std::move(all);
  }

  void read_answers(const std::string& path) {
    const auto* text = metadata("answers");
    require(text != nullptr, path, ": it does not name its answers");
    answer_names_ = parse_names(*text, path + ": answers");
    answers_ = (*safetensors_)["answers"].transposed().to_matrix<float>();
    require(answers_.cols() == answer_names_.size(), path, ": vectors of ", answers_.cols(), " answers, but ",
            answer_names_.size(), " names");
    require(answers_.allFinite(), path, ": tensor \"answers\" holds a number that is not finite");
  }

  std::unique_ptr<npy_file> npy_;
  std::unique_ptr<npz_file> npz_;
  std::unique_ptr<safetensors_file> safetensors_;
  std::optional<tensor_view> states_;
  names subjects_, answer_names_;
  std::vector<std::string> layer_names_;
  matrix<float> answers_;
};

}  // namespace geofact::probe
