import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const at = (path: string) => new URL(path, import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(at(path), 'utf8'))

test('Deno gets the versions that npm has installed, of whatever a function uses', () => {
  const { dependencies } = read('../../package.json')
  // The function `mail` sends with the server's own mail packages, so both must have the same versions.
  const { nodemailer, 'html-to-text': htmlToText } = read('../../../server/package.json').dependencies
  const wanted = Object.entries({ ...dependencies, nodemailer, 'html-to-text': htmlToText }).map(
    ([name, version]) => [name, `npm:${name}@${version}`],
  )
  const functions = readdirSync(at('../../functions')).filter((name) => !/^_|\./.test(name))
  const imported = functions.map((name) => read(`../../functions/${name}/deno.json`).imports)
  expect(Object.assign({}, ...imported)).toEqual(Object.fromEntries(wanted))
})
