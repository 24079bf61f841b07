// Proves AUTH 08
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildChanged } from '../../scripts/build.mjs'
import { everythingIn, MARKERS, WEB } from './bundle.ts'

it('the development sign-in is nowhere in what production serves', async () => {
  await buildChanged(['web'])
  const [source, bundle] = [await everythingIn(join(WEB, 'src')), await everythingIn(join(WEB, 'dist'))]
  expect(bundle).toContain('Welcome Back')
  expect(MARKERS.filter((marker) => !source.includes(marker))).toEqual([])
  expect(MARKERS.filter((marker) => bundle.includes(marker))).toEqual([])
})
