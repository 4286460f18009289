CREATE TABLE experiment (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  spec_json TEXT NOT NULL, spec_hash TEXT NOT NULL, seed TEXT NOT NULL,
  package TEXT NOT NULL, python TEXT NOT NULL, numpy TEXT NOT NULL, platform TEXT NOT NULL, created REAL NOT NULL
);
CREATE TABLE algorithm (
  pos INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL, changed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE instance (
  pos INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL, changed INTEGER NOT NULL DEFAULT 0,
  draw_order INTEGER UNIQUE,  -- NULL: not drawn, the experiment uses only some of the problems
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'active', 'done', 'failed')),
  reason TEXT NOT NULL DEFAULT '', detail TEXT NOT NULL DEFAULT '', n_json TEXT, phi_json TEXT, se_json TEXT
);
CREATE TABLE run (
  inst INTEGER NOT NULL, alg INTEGER NOT NULL, rep INTEGER NOT NULL, round INTEGER NOT NULL, seed_hex TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ok', 'failed', 'timeout')),
  value REAL, metrics TEXT, seconds REAL NOT NULL, error TEXT NOT NULL, attempt INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, started REAL NOT NULL, finished REAL NOT NULL,
  PRIMARY KEY (inst, alg, rep),
  CHECK ((status = 'ok') = (value IS NOT NULL))
) WITHOUT ROWID;
CREATE TABLE attempt (  -- runs that ended and were not kept: they failed and are tried again
  id INTEGER PRIMARY KEY, inst INTEGER NOT NULL, alg INTEGER NOT NULL, rep INTEGER NOT NULL, attempt INTEGER NOT NULL,
  worker TEXT NOT NULL, started REAL NOT NULL, outcome TEXT NOT NULL, error TEXT NOT NULL
);
CREATE TABLE decision (
  inst INTEGER NOT NULL, round INTEGER NOT NULL, n_json TEXT NOT NULL, se REAL, plan_json TEXT NOT NULL,
  PRIMARY KEY (inst, round)
) WITHOUT ROWID;
CREATE TABLE conflict (  -- a second result of a kept run that differs from the first
  inst INTEGER NOT NULL, alg INTEGER NOT NULL, rep INTEGER NOT NULL,
  old TEXT NOT NULL, new TEXT NOT NULL, at REAL NOT NULL
);
CREATE TABLE look (k INTEGER PRIMARY KEY, n INTEGER NOT NULL, stat REAL, threshold REAL, verdict TEXT NOT NULL);
CREATE TABLE checksum (  -- of the runs of an algorithm on a problem, when the problem was finished
  inst INTEGER NOT NULL, alg INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (inst, alg)
) WITHOUT ROWID;
