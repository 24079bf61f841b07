// Texts that show whether a build contains the development sign-in.
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

export const WEB = resolve(import.meta.dirname, '..')

/** Texts that occur only in the development sign-in: its button, its user, its sentences, its tokens. */
export const MARKERS = [
  'Quick Development Login',
  'For testing in preview environments',
  'Development User',
  'developer@example.com',
  '00000000-0000-4000-8000-000000000001',
  'Using simulated authentication',
  'You are now signed in with a development account',
]

/** The text of all files in a folder: of a build, everything that a browser could load. */
export async function everythingIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true })
  const texts = files.filter((file) => /\.(tsx?|js|html|css|json|map)$/.test(file))
  return (await Promise.all(texts.map((file) => readFile(join(folder, file), 'utf8')))).join('\n')
}
