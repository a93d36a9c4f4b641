// A game whose rules turnwise does not know: Breakthrough on 5x5 with two actions a turn, for every planner of turnwise.
//
//   g++ -O2 -std=c++17 -o breakthrough examples/engines/breakthrough.cpp
//   turnwise --import turnwise.interop.engines.registered match process-game:./breakthrough mcts random --budget forward=500
//
// Pieces step one square ahead, straight or diagonally, and capture diagonally. Who reaches the last row or takes the
// last enemy wins. The program keeps nothing from one message to the next: every message has the state that it is about
// (docs/reference/engines.md). The few fields that it needs are found by their names.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

const int SIZE = 5, TURN = 2;

struct State {
  std::string board = "wwwwwwwwww.....bbbbbbbbbb";  // rows from white's side on: a1, b1, ...
  int mover = 0, left = TURN, turn = 0;             // left: actions of the turn in progress
};

struct Move {
  int from, to;
};

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

int number(const std::string& line, const std::string& name) {
  const std::string rest = after(line, name);
  const size_t end = rest.find_first_not_of("0123456789");
  return end == 0 || end == std::string::npos || end > 6 ? -1 : std::stoi(rest.substr(0, end));
}

std::string square(int at) { return {static_cast<char>('a' + at % SIZE), static_cast<char>('1' + at / SIZE)}; }

std::string written(const Move& move) { return square(move.from) + " " + square(move.to); }

long pieces(const State& s, char whose) { return std::count(s.board.begin(), s.board.end(), whose); }

// How many rows a player's foremost piece has gone; 0 without pieces.
int advance(const State& s, int player) {
  int most = 0;
  for (int at = 0; at < SIZE * SIZE; ++at)
    if (s.board[at] == "wb"[player]) most = std::max(most, player == 0 ? at / SIZE : SIZE - 1 - at / SIZE);
  return most;
}

// The player who has won; -1: the game goes on.
int winner(const State& s) {
  for (const int player : {0, 1})
    if (advance(s, player) == SIZE - 1 || pieces(s, "wb"[1 - player]) == 0) return player;
  return -1;
}

std::vector<Move> moves(const State& s) {
  std::vector<Move> found;
  const int ahead = s.mover == 0 ? SIZE : -SIZE;
  for (int from = 0; from < SIZE * SIZE && winner(s) < 0; ++from)
    for (int side = -1; side <= 1 && s.board[from] == "wb"[s.mover]; ++side) {
      const int to = from + ahead + side;
      if (from % SIZE + side < 0 || from % SIZE + side >= SIZE || to < 0 || to >= SIZE * SIZE) continue;
      if (s.board[to] == '.' || (side != 0 && s.board[to] == "wb"[1 - s.mover])) found.push_back({from, to});
    }
  return found;
}

State played(State s, const Move& move) {
  s.board[move.to] = s.board[move.from];
  s.board[move.from] = '.';
  if (winner(s) < 0 && --s.left == 0) s = {s.board, 1 - s.mover, TURN, s.turn + 1};
  return s;
}

// From white's side, between -1 and 1: who has more pieces, and whose foremost piece has gone further.
double value(const State& s) {
  if (winner(s) >= 0) return winner(s) == 0 ? 1 : -1;
  return 0.04 * (pieces(s, 'w') - pieces(s, 'b')) + 0.1 * (advance(s, 0) - advance(s, 1));
}

bool is_state(const State& s) {
  const bool fits = s.board.size() == SIZE * SIZE && s.board.find_first_not_of("wb.") == std::string::npos;
  const bool counts = s.mover >= 0 && s.mover <= 1 && s.left >= 1 && s.left <= TURN && s.turn >= 0;
  return fits && counts && pieces(s, 'w') <= 2 * SIZE && pieces(s, 'b') <= 2 * SIZE && pieces(s, '.') < SIZE * SIZE;
}

void send(const State& s) {
  const int won = winner(s);
  std::cout << R"({"type":"state","state":{"board":")" << s.board << R"(","mover":)" << s.mover << R"(,"left":)" << s.left
            << R"(,"turn":)" << s.turn << R"(},"to_move":)" << (won < 0 ? s.mover : -1) << R"(,"turn":)" << s.turn
            << R"(,"legal":[)";
  const char* comma = "";
  for (const Move& move : moves(s)) {
    std::cout << comma << '"' << written(move) << '"';
    comma = ",";
  }
  const int result = won < 0 ? 0 : won == 0 ? 1 : -1;
  std::cout << R"(],"returns":[)" << result << "," << -result << R"(],"values":[)" << value(s) << "," << -value(s)
            << "]}" << std::endl;
}

void refuse(const std::string& why) { std::cout << R"({"type":"error","message":")" << why << R"("})" << std::endl; }

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::string type = text(line, "type"), inner = after(line, "state");
    const State s{text(inner, "board"), number(inner, "mover"), number(inner, "left"), number(inner, "turn")};
    if (type == "quit") return 0;
    if (type == "hello") {
      std::cout << R"({"type":"hello","protocol":1,"name":"breakthrough","version":"1"})" << std::endl;
    } else if (type == "new_game") {
      std::cout << R"({"type":"rules","rules":"1","players":2,"max_turn":2,"max_actions":30,"evaluates":true})" << std::endl;
    } else if (type == "start") {
      send(State());
    } else if (!is_state(s)) {
      refuse("expected a state with board, mover, left and turn");
    } else if (type == "state") {
      send(s);
    } else if (type == "apply") {
      const std::vector<Move> legal = moves(s);
      const std::string action = text(line, "action");
      const auto move = std::find_if(legal.begin(), legal.end(), [&](const Move& m) { return written(m) == action; });
      move == legal.end() ? refuse("not legal: " + action) : send(played(s, *move));
    } else if (type == "show") {
      std::string rows;
      for (int row = SIZE - 1; row >= 0; --row) rows += s.board.substr(row * SIZE, SIZE) + "\\n";
      std::cout << R"({"type":"text","text":")" << rows << (s.mover == 0 ? "white" : "black") << R"( to move"})" << std::endl;
    } else {
      refuse("unknown type");
    }
  }
}
