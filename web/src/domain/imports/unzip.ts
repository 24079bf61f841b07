import { t } from '@lingui/core/macro'
import { Unreadable } from './row.ts'

const MOST_FILES = 400
/** The largest total size of the unzipped files, in bytes. */
const LARGEST = 20_000_000

/**
 * The .xml files in a ZIP file, or all of its files if none is .xml. A file that is not a ZIP is returned unchanged.
 */
export async function unzipped(bytes: Uint8Array): Promise<Uint8Array[]> {
  if (!String.fromCharCode(...bytes.subarray(0, 4)).startsWith('PK\u0003\u0004')) return [bytes]
  const { unzipSync } = await import('fflate')
  let [count, size] = [0, 0]
  const take = ({ name, originalSize }: { name: string; originalSize: number }) => {
    // Folders, and the metadata that macOS adds.
    if (/\/$|^__MACOSX\//.test(name)) return false
    count += 1
    size += originalSize
    if (count > MOST_FILES || size > LARGEST)
      throw new Unreadable(t`There is too much in this ZIP file. Open it, and choose single statements.`)
    return true
  }
  try {
    const files = Object.entries(unzipSync(bytes, { filter: take }))
    const xml = files.filter(([name]) => /\.xml$/i.test(name))
    return (xml.length > 0 ? xml : files).map(([, content]) => content)
  } catch (problem) {
    if (problem instanceof Unreadable) throw problem
    throw new Unreadable(
      t`This ZIP file could not be opened. If it has a password, open it yourself and choose the statements in it.`,
    )
  }
}
