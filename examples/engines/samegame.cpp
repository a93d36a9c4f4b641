// An engine for SameGame: keeps the most frequent colour for the end, and of the others takes the largest group.
//
//   g++ -O2 -std=c++17 -o samegame examples/engines/samegame.cpp
//   turnwise match samegame "process:./samegame" --budget forward=1000
//
// It shows the whole protocol (docs/reference/engines.md). A program with more to say would use a JSON library; the few
// fields that this one needs are found by their names.

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

using Board = std::vector<std::string>;  // rows from top to bottom; '.' is an empty cell
using Cell = std::pair<int, int>;        // column and row

// The text after "name": in a line of JSON; empty if the name is not there.
std::string after(const std::string& line, const std::string& name) {
  const std::string key = "\"" + name + "\":";
  const size_t at = line.find(key);
  return at == std::string::npos ? "" : line.substr(at + key.size());
}

std::string text(const std::string& line, const std::string& name) {
  const std::string rest = after(line, name);
  if (rest.empty() || rest[0] != '"') return "";
  return rest.substr(1, rest.find('"', 1) - 1);
}

long number(const std::string& line, const std::string& name) {
  const std::string rest = after(line, name);
  return rest.empty() ? 0 : std::stol(rest);
}

Board board(const std::string& line) {
  const std::string rest = after(line, "board");
  Board rows;
  for (size_t at = rest.find('"'), end = rest.find(']'); at < end; at = rest.find('"', at + 1)) {
    const size_t close = rest.find('"', at + 1);
    rows.push_back(rest.substr(at + 1, close - at - 1));
    at = close;
  }
  return rows;
}

// All cells of the group of a cell: neighbours of the same colour.
std::vector<Cell> group(const Board& rows, Cell first) {
  std::vector<Cell> found{first}, waiting{first};
  const char colour = rows[first.second][first.first];
  while (!waiting.empty()) {
    const auto [x, y] = waiting.back();
    waiting.pop_back();
    const std::array<Cell, 4> around{{{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}}};
    for (const Cell& next : around) {
      const auto [u, v] = next;
      if (v < 0 || v >= static_cast<int>(rows.size()) || u < 0 || u >= static_cast<int>(rows[v].size())) continue;
      if (rows[v][u] != colour || std::find(found.begin(), found.end(), next) != found.end()) continue;
      found.push_back(next);
      waiting.push_back(next);
    }
  }
  return found;
}

std::string best(const Board& rows, long& looked_at) {
  std::map<char, int> frequency;
  for (const std::string& row : rows)
    for (const char colour : row)
      if (colour != '.') ++frequency[colour];
  char kept = 0;
  for (const auto& [colour, count] : frequency)
    if (kept == 0 || count > frequency[kept]) kept = colour;
  std::string action;
  std::pair<bool, size_t> highest{false, 0};
  for (int y = 0; y < static_cast<int>(rows.size()); ++y)
    for (int x = 0; x < static_cast<int>(rows[y].size()); ++x) {
      if (rows[y][x] == '.') continue;
      const size_t size = group(rows, {x, y}).size();
      ++looked_at;
      const std::pair<bool, size_t> rank{rows[y][x] != kept, size};
      if (size > 1 && (action.empty() || rank > highest)) {
        highest = rank;
        action = std::to_string(x) + " " + std::to_string(static_cast<int>(rows.size()) - 1 - y);
      }
    }
  return action;
}

int main() {
  Board rows;
  for (std::string line; std::getline(std::cin, line);) {
    const std::string type = text(line, "type");
    if (type == "hello") {
      std::cout << R"({"type":"hello","protocol":1,"name":"tabu-colour","version":"1","games":["samegame"]})" << std::endl;
    } else if (type == "new_game") {
      std::cout << R"({"type":"ready"})" << std::endl;
    } else if (type == "position") {
      rows = board(line);
    } else if (type == "go") {
      long looked_at = 0;
      const std::string action = best(rows, looked_at);
      std::cout << R"({"type":"best","id":)" << number(line, "id") << R"(,"actions":[")" << action
                << R"("],"evaluations":)" << looked_at << "}" << std::endl;
    } else if (type == "quit") {
      return 0;
    }
  }
}
