/** Moves for pictures and lessons. They are played by the server; the client knows no rules. */

/** @typedef {{title: string, text: string, moves: string, shown: number}} Lesson */

/** The moves of the pictures in the gallery. */
export const SAMPLES = /** @type {Record<string, string>} */ ({
	"connect-four": "4 4 3 5 3 3 4 5 5 2 6 4 2 6",
	conniption: "4 4 3 5 f3 5f 4 2 6 6",
	extended: "3 4 3 4 2 5 4 1 2 6 5 3",
	squatter: "c2 e4 b3 d5 d3 f5 c4 e6 b1 a5",
});

/** What each game shows on boards: the position after `shown` moves, then the others. */
export const LESSONS = /** @type {Record<string, Lesson[]>} */ ({
	"connect-four": [
		{
			title: "Discs fall",
			text: "A disc falls to the lowest empty cell of its column.",
			moves: "4 4 4",
			shown: 2,
		},
		{
			title: "Four in a row win",
			text: "Across, upright or diagonally: the fourth disc in a row ends the game.",
			moves: "1 2 2 3 3 4 3 4 4 6 4",
			shown: 10,
		},
	],
	conniption: [
		{
			title: "A flip turns the board",
			text: "After the disc, White flips the board. All discs fall to the other end of their columns.",
			moves: "4 4 5 3 4f",
			shown: 4,
		},
		{
			title: "A flip can come first",
			text: "White flips the board and then drops a disc on what is the top now.",
			moves: "4 4 5 5 f4",
			shown: 4,
		},
		{
			title: "A flip can win",
			text: "White drops a disc in column 4 and flips: now four white discs are in a row.",
			moves: "5 7 7 1 6 4 4f",
			shown: 6,
		},
	],
	extended: [
		{
			title: "Rows score points",
			text: "Two in a row score 2, three score 5 and four score 20. The game goes on.",
			moves: "2 6 3 6 4 7 5",
			shown: 6,
		},
		{
			title: "A pop takes the lowest disc",
			text: "Player 1 pops column 2: its lowest disc leaves the board and those above it fall.",
			moves: "2 2 3 2 4 5 2p",
			shown: 6,
		},
	],
	squatter: [
		{
			title: "A closed loop captures",
			text: "White closes a loop around c3. The pieces of a loop touch at sides or corners.",
			moves: "c2 c3 b3 e5 d3 e6 c4",
			shown: 6,
		},
		{
			title: "The edge closes no loop",
			text: "White has cut off the corner a1, but the edge of the board is not part of a loop.",
			moves: "b1 e5 a2",
			shown: 2,
		},
	],
});
