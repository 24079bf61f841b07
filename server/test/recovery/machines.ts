// Three machines with etcd, Patroni and Postgres by the files in deploy/failover, each in a network namespace with its own
// address. Needs root and Debian's packages (scripts/recovery.mjs).
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import type { Database } from '#db/database.ts'
import { openPostgres } from '#db/postgres.ts'
import { findPostgres } from '../../../scripts/postgres.mjs'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'

const FILES = resolve(import.meta.dirname, '../../../deploy/failover')
const NAMES = ['one', 'two', 'three'] as const
type Name = (typeof NAMES)[number]
const BRIDGE = 'potluck-ha'
const NETWORK = '10.213.77'
const addressOf = (name: Name) => `${NETWORK}.${NAMES.indexOf(name) + 1}`
const spaceOf = (name: Name) => `${BRIDGE}-${name}`
const cableOf = (name: Name) => `pha-${name}`
export const PASSWORD = 'of-the-test'
const superuserUrlOf = (name: Name) => `postgres://postgres:${PASSWORD}@${addressOf(name)}:5432/postgres`

interface Member {
  name: Name
  role: string
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString()
/** Returns no output if the thing that the arguments name does not exist. */
const quietly = (...args: string[]) => {
  try {
    return ip(...args)
  } catch {
    return ''
  }
}

const pidsOf = (name: Name) => quietly('netns', 'pids', spaceOf(name)).split('\n').filter(Boolean).map(Number)
const signal = (pids: number[], name: NodeJS.Signals) => {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // It ended by itself.
    }
}

/** Replaces parts of a file from deploy/; each of them has to be there. */
export function adapt(file: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} has no "${from}"`)
      return text.replaceAll(from, to)
    },
    readFileSync(file, 'utf8'),
  )
}

/** Runs a program as the user nobody, as Postgres refuses to run as root. */
const AS_NOBODY = ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups']

export async function openMachines() {
  const bin = findPostgres() ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'potluck-failover-'))
  execFileSync('chown', ['nobody:nogroup', folder])
  const configured = new Map<Name, { etcd: string; patroni: string }>()

  // An earlier run that was killed may have left machines behind.
  const removeNetwork = () => {
    for (const name of NAMES) {
      signal(pidsOf(name), 'SIGKILL')
      quietly('link', 'del', cableOf(name))
      quietly('netns', 'del', spaceOf(name))
    }
    quietly('link', 'del', BRIDGE)
  }
  removeNetwork()
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${NETWORK}.254/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  for (const name of NAMES) {
    const [space, cable] = [spaceOf(name), cableOf(name)]
    ip('netns', 'add', space)
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    ip('link', 'set', cable, 'master', BRIDGE, 'up')
    ip('-n', space, 'addr', 'add', `${addressOf(name)}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) ip('-n', space, 'link', 'set', device, 'up')
    configured.set(name, configure(name))
  }

  function configure(name: Name) {
    const home = join(folder, name)
    mkdirSync(home)
    const own = [...NAMES.map((each, n) => [`10.0.0.${n + 1}:`, `${addressOf(each)}:`] as const)] as const
    // The first machine's address is this machine's own, except in the lists of all machines.
    const here = (text: string) =>
      text.replaceAll(/^(?!ETCD_INITIAL_CLUSTER=| {2}hosts:).*$/gm, (line) =>
        line.replaceAll(`${addressOf('one')}:`, `${addressOf(name)}:`),
      )
    const write = (file: string, text: string) => writeFileSync(file, here(text), { mode: 0o644 })
    const etcd = join(home, 'etcd.env')
    write(
      etcd,
      adapt(join(FILES, 'etcd.env'), [
        ...own,
        ['ETCD_NAME=one', `ETCD_NAME=${name}`],
        ['/var/lib/etcd/potluck', join(home, 'etcd')],
      ]),
    )
    const patroni = join(home, 'patroni.yaml')
    write(
      patroni,
      adapt(join(FILES, 'patroni.yaml'), [
        ...own,
        ['name: one', `name: ${name}`],
        ['10.0.0.0/24', `${NETWORK}.0/24`],
        ['/var/lib/postgresql/15/potluck', join(home, 'data')],
        ['/usr/lib/postgresql/15/bin', `${bin}\n  parameters:\n    unix_socket_directories: ${home}`],
        ['replace-this-too', PASSWORD],
        ['replace-this', PASSWORD],
      ]),
    )
    execFileSync('chown', ['-R', 'nobody:nogroup', home])
    return { etcd, patroni }
  }

  const run = (log: string, [program = '', ...args]: string[], env: Record<string, string> = {}) => {
    const output = openSync(join(folder, log), 'a')
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', output, output],
      detached: true,
    })
    closeSync(output)
    return child
  }
  const power = (name: Name) => {
    const { etcd, patroni } = configured.get(name) ?? { etcd: '', patroni: '' }
    const inside = ['ip', 'netns', 'exec', spaceOf(name), ...AS_NOBODY]
    run(
      `${name}.etcd.log`,
      [...inside, 'etcd'],
      parseEnv(readFileSync(etcd, 'utf8')) as Record<string, string>,
    )
    run(`${name}.patroni.log`, [...inside, 'patroni', patroni], { HOME: join(folder, name) })
  }
  const ask = async (name: Name, path: string, init: RequestInit = {}) =>
    fetch(`http://${addressOf(name)}:8008${path}`, { ...init, signal: AbortSignal.timeout(30_000) })

  const isPrimary = (name: Name) =>
    fetch(`http://${addressOf(name)}:8008/primary`, { signal: AbortSignal.timeout(500) }).then(
      ({ status }) => status === 200,
      () => false,
    )
  /** Returns the machine whose Patroni says that it has the lock and its Postgres is the primary. */
  async function primary(): Promise<Name> {
    for (;;) {
      for (const name of NAMES) if (await isPrimary(name)) return name
      await pause(50)
    }
  }
  const members = async () =>
    ((await (await ask(await primary(), '/cluster')).json()) as { members: Member[] }).members
  const onMachine = async <T>(name: Name, work: (db: Database) => Promise<T>): Promise<T> => {
    const db = await openPostgres(superuserUrlOf(name), { max: 1, isReplica: true })
    return work(db).finally(() => db.close())
  }
  /** Waits until both other machines follow the primary, and Patroni and Postgres agree on the synchronous one. */
  const healthy = () =>
    eventually(
      async () => {
        const now = await members()
        const following = await onMachine(await primary(), (db) =>
          db.query(
            `select application_name as name, sync_state from pg_stat_replication where state = 'streaming'`,
          ),
        )
        const chosen = now.filter(({ role }) => role === 'sync_standby').map(({ name }) => name)
        const waitedFor = following.filter(({ sync_state }) => sync_state === 'sync').map(({ name }) => name)
        const isHealthy =
          now.length === 3 && following.length === 2 && chosen.length === 1 && waitedFor[0] === chosen[0]
        if (!isHealthy) throw new Error(`The cluster is not healthy: ${JSON.stringify({ now, following })}`)
      },
      { timeout: 180_000, interval: 250 },
    )

  const balancers: ReturnType<typeof run>[] = []
  const close = () => {
    for (const balancer of balancers) balancer.kill('SIGKILL')
    removeNetwork()
    if (!process.env.KEEP_MACHINES) rmSync(folder, { recursive: true, force: true })
  }
  for (const name of NAMES) power(name)
  await healthy().catch((error: unknown) => {
    close()
    throw error
  })

  return {
    folder,
    addressOf,
    primary,
    healthy,
    onMachine,
    /** The number of connections of `role` to standbys. */
    async readers(role: string): Promise<number> {
      let count = 0
      for (const { name, role: part } of await members())
        if (part !== 'leader')
          count += (
            await onMachine(name, (db) => db.query('select from pg_stat_activity where usename = $1', [role]))
          ).length
      return count
    },
    /** Starts HAProxy for one server; returns the URLs of the primary and of the standbys. */
    async balance(database: string, user: string) {
      const [writing, reading] = [await freePort(), await freePort()]
      const file = join(folder, `haproxy-${writing}.cfg`)
      writeFileSync(
        file,
        adapt(join(FILES, 'haproxy.cfg'), [
          ...NAMES.map((each, n) => [`10.0.0.${n + 1}:`, `${addressOf(each)}:`] as const),
          ['bind 127.0.0.1:5432', `bind 127.0.0.1:${writing}`],
          ['bind 127.0.0.1:5433', `bind 127.0.0.1:${reading}`],
        ]),
      )
      balancers.push(run(`haproxy-${writing}.log`, [...AS_NOBODY, 'haproxy', '-db', '-f', file]))
      const url = (port: number) => `postgres://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`
      // HAProxy takes every machine for the primary until its first checks have failed.
      await eventually(async () => {
        for (const _machine of NAMES) await (await openPostgres(url(writing), { max: 1 })).close()
      })
      return { url: url(writing), readUrl: url(reading) }
    },
    /** Ends all processes of Postgres at once; etcd and Patroni go on. */
    crash: (name: Name) =>
      signal(
        pidsOf(name).filter((pid) => /^\S*postgres/.test(commandOf(pid))),
        'SIGKILL',
      ),
    /** Ends everything at once, as a lost machine does. */
    lose: (name: Name) => signal(pidsOf(name), 'SIGKILL'),
    power,
    freeze: (name: Name) => signal(pidsOf(name), 'SIGSTOP'),
    thaw: (name: Name) => signal(pidsOf(name), 'SIGCONT'),
    /** Pulls the machine's network cable. */
    cut: (name: Name) => ip('link', 'set', cableOf(name), 'down'),
    connect: (name: Name) => ip('link', 'set', cableOf(name), 'up'),
    /** Cuts the machine off from the two others, while servers still reach it; `del` ends that. */
    part: (name: Name, action: 'add' | 'del' = 'add') => {
      for (const other of NAMES)
        if (other !== name)
          for (const [from, to] of [
            [name, other],
            [other, name],
          ] as const)
            ip('-n', spaceOf(from), 'route', action, 'blackhole', addressOf(to))
    },
    /** Asks Patroni for a planned switch to the standby that has every commit. */
    async switch(name: Name) {
      const candidate = (await members()).find(({ role }) => role === 'sync_standby')?.name
      const body = JSON.stringify({ leader: name, candidate })
      const answer = await ask(name, '/switchover', { method: 'POST', body })
      if (!answer.ok) throw new Error(`Patroni refused to switch: ${await answer.text()}`)
    },
    close,
  }
}

const commandOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
