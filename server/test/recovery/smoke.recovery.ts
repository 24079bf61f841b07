import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'vitest'
import { openMachines } from './machines.ts'
test('smoke', { timeout: 400_000 }, async () => {
  const t0 = Date.now()
  const say = (...x: unknown[]) => console.log(((Date.now() - t0) / 1000).toFixed(1), ...x)
  const m = await openMachines()
  try {
    say('healthy', await m.primary(), m.folder)
    for (const kind of ['cut', 'part', 'cut', 'part', 'freeze','cut','lose'] as const) {
      const p = await m.primary()
      const t = Date.now()
      await m[kind](p)
      await pause(100)
      for (;;) { const q = await m.primary(); if (q !== p) break; await pause(50) }
      say(kind, 'from', p, 'to', await m.primary(), (Date.now() - t) / 1000)
      await pause(3000)
      if (kind === 'lose') m.power(p)
      if (kind === 'freeze') m.thaw(p)
      if (kind === 'cut') m.connect(p)
      if (kind === 'part') m.part(p, 'del')
      const q2 = await m.primary()
      await m.healthy()
      if ((await m.primary()) !== q2) say('FLIPPED')
      say('healthy again', (Date.now() - t) / 1000)
    }
  } finally {
    m.close()
  }
})
