// Some of the lives of connected.deep.test.ts.
// Proves PAY 08
import { test } from 'vitest'
import { ownDatabase } from '../people.ts'
import { liveAll } from './connected.ts'

const { db } = await ownDatabase({ sheltered: true })

test('every cent of an owner’s account is where the calculator says', () => liveAll(db, 4))
