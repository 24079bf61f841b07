// Divides the texts of a language by who reads them, so that a page loads only its own. build/chunks.ts knows from the first
// build which modules load with which pages; the same build's transforms note each module's texts.
/**
 * `everybody` is loaded at the start; the others are texts of visitors' pages, of pages that members open first, of all
 * other pages and dialogs, of refusals, and of staff pages.
 */
export const PARTS = ['everybody', 'visitors', 'members', 'later', 'refusals', 'staff'] as const
export type Part = (typeof PARTS)[number]

/** The part of each module; empty before the first build, which loads all texts as one. */
let partOfModule = new Map<string, Part>()
/** The parts that use a text, by its id. */
const users = new Map<string, Set<Part>>()
const textsOfModule = new Map<string, readonly string[]>()

export const setParts = (parts: Map<string, Part>) => {
  partOfModule = parts
  users.clear()
  for (const [module, texts] of textsOfModule)
    for (const text of texts) {
      const found = users.get(text) ?? new Set()
      users.set(text, found.add(parts.get(module) ?? 'everybody'))
    }
}

export const noteTexts = (module: string, texts: readonly string[]) => void textsOfModule.set(module, texts)

/** The part whose texts a module needs; undefined if the texts are there from the start. */
export function partNeededBy(module: string): Part | undefined {
  const part = partOfModule.get(module)
  return part === 'everybody' ? undefined : part
}

/** Whether a text belongs to a part. A text for everybody is in no other part. */
export function isIn(part: Part, text: string): boolean {
  const found = users.get(text)
  if (partOfModule.size === 0 || !found || found.has('everybody')) return part === 'everybody'
  return found.has(part)
}
