/** What a job and its documents need to live through many runs, windows and faults. */
export const jobsStep = {
  number: 14,
  sql: `
ALTER TABLE job ADD COLUMN run INTEGER NOT NULL DEFAULT 1;      -- counted from 1: the first start, the second, …
ALTER TABLE job ADD COLUMN priority INTEGER NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10); -- 1 before all others
ALTER TABLE job ADD COLUMN window_end_ms INTEGER;               -- null: this run has no end by schedule
ALTER TABLE job ADD COLUMN last_assessed_ms INTEGER;            -- up to when schedules were looked at
ALTER TABLE job ADD COLUMN seeding_version TEXT;                -- null: the next seeding is from the beginning
ALTER TABLE job ADD COLUMN reseed_ms INTEGER;                   -- when a continuous job looks for seeds again; null: never
ALTER TABLE job ADD COLUMN fail_ms INTEGER;                     -- when a series of failures is given up
ALTER TABLE job ADD COLUMN fail_count INTEGER;                  -- tries that are left of it
ALTER TABLE job ADD COLUMN is_assessed INTEGER NOT NULL DEFAULT 1; -- 0: whether its connectors are there is to be looked at

ALTER TABLE document ADD COLUMN priority REAL;                  -- lower is sooner; null: it has none
ALTER TABLE document ADD COLUMN needs_priority INTEGER NOT NULL DEFAULT 0;
ALTER TABLE document ADD COLUMN check_action TEXT CHECK (check_action IN ('rescan', 'remove')); -- what is due at due_ms; null: a fetch
ALTER TABLE document ADD COLUMN fail_ms INTEGER;
ALTER TABLE document ADD COLUMN fail_count INTEGER;
ALTER TABLE document ADD COLUMN seed_mark TEXT NOT NULL DEFAULT 'F' CHECK (seed_mark IN ('F', 'S', 'N')); -- no seed, seed, named in the seeding under way
UPDATE document SET seed_mark = 'S' WHERE via_id IS NULL AND role = 'page';
`,
}
