/** Outlines of definitions. A definition may have 100,000 seeds, some megabytes, and lists of jobs are requested several times per second:
 *  they read only what is copied here, whoever writes the definition. */

/** Seeds in an outline: the most that a summary of a job shows. */
export const outlineSeedsMax = 20

const setOutline = `
  INSERT OR REPLACE INTO harvest_outline (harvest_id, definition_id, seeds, connectors, throttle)
  VALUES (NEW.id, NEW.definition_id,
          (SELECT json_group_array(value) FROM (SELECT value FROM json_each(NEW.definition, '$.seeds') LIMIT ${outlineSeedsMax})),
          json_extract(NEW.definition, '$.connectors'), json_extract(NEW.definition, '$.throttle'));`

export const outlineTables = `
CREATE TABLE harvest_outline (              -- of the definition of a harvest; kept by triggers
  harvest_id INTEGER PRIMARY KEY REFERENCES harvest(id) ON DELETE CASCADE,
  definition_id INTEGER,                    -- as in harvest, where it is stored after the definition and takes as long to read
  seeds TEXT NOT NULL,                      -- JSON: the first seeds
  connectors TEXT,                          -- JSON; null: the usual ones
  throttle TEXT                             -- JSON; null: none
);
CREATE TRIGGER harvest_is_outlined AFTER INSERT ON harvest BEGIN ${setOutline} END;
CREATE TRIGGER harvest_outline_follows AFTER UPDATE OF definition ON harvest BEGIN ${setOutline} END;
UPDATE harvest SET definition = definition;

ALTER TABLE run_definition ADD COLUMN output TEXT
  GENERATED ALWAYS AS (COALESCE(json_extract(definition, '$.connectors.output'), 'archive')) VIRTUAL;
-- Contains the output, so that it is read without the definition.
CREATE INDEX run_definition_output ON run_definition (job_id, id, run, output);
`
