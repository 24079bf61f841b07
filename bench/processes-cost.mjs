// Measures the memory of running processes, and how many cores they keep busy. Linux only.
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Measures the servers, by pid, and Postgres with all its processes, by the pid of its first process. */
export function createMeter(servers, postgres) {
  let before
  const look = () => ({
    at: performance.now(),
    servers: sum(servers),
    ...(postgres && { postgres: sum([postgres, ...childrenOf(postgres)]) }),
  })
  return {
    start: () => {
      before = look()
    },
    stop: () => {
      const after = look()
      const seconds = (after.at - before.at) / 1000
      const cost = (name) =>
        after[name] && {
          megabytes: after[name].kilobytes / 1024,
          cores: (after[name].ticks - before[name].ticks) / TICKS_PER_SECOND / seconds,
        }
      return { servers: cost('servers'), postgres: cost('postgres') }
    },
  }
}

function sum(pids) {
  const all = pids.map(costOf)
  return {
    ticks: all.reduce((ticks, one) => ticks + one.ticks, 0),
    kilobytes: all.reduce((kilobytes, one) => kilobytes + one.kilobytes, 0),
  }
}

/** Returns the costs of one process. Each process counts its proportional share of shared memory. */
function costOf(pid) {
  try {
    const [user, system, waitedUser, waitedSystem] = fieldsOf(pid).slice(11, 15).map(Number)
    const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return { ticks: user + system + waitedUser + waitedSystem, kilobytes: Number(kilobytes ?? 0) }
  } catch (error) {
    // The process has ended in the meantime, and its time has been added to its parent's.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return { ticks: 0, kilobytes: 0 }
    throw error
  }
}

function childrenOf(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return Number(fieldsOf(pid)[1]) === parent
      } catch {
        return false
      }
    })
}

/**
 * Returns the fields of a process's `stat` from the third on. The second is a name in parentheses, which may contain
 * spaces.
 */
const fieldsOf = (pid) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
