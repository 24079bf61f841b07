import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { decode, type ImportedRow, Unreadable } from '#domain/imports/row.ts'
import type { Source } from './source-names.ts'

interface SourceWords {
  name: string
  /** Instructions for getting the file. */
  how: string
  accept: string
  /** Reads the rows of all given files. */
  read: (texts: readonly string[]) => Promise<ImportedRow[]>
}

// Each reader is loaded when its first file is read; the CSV library only for tables.
export const sources: Record<Source, SourceWords> = {
  spliit: {
    name: 'Spliit',
    how: t`In the group, choose Export, then JSON.`,
    accept: '.json',
    read: async (texts) => {
      const { readSpliit } = await import('#domain/imports/spliit.ts')
      return texts.flatMap(readSpliit)
    },
  },
  splitwise: {
    name: 'Splitwise',
    how: t`On splitwise.com, open the group’s settings and choose Export as spreadsheet.`,
    accept: '.csv',
    read: async (texts) => {
      const { readSplitwise } = await import('#domain/imports/tables.ts')
      return texts.flatMap(readSplitwise)
    },
  },
  wallos: {
    name: 'Wallos',
    how: t`At home, open both addresses with your API key in the browser and save each answer. Then choose the two files.`,
    accept: '.json,.php,.txt',
    read: async (texts) => (await import('#domain/imports/wallos.ts')).readWallos(texts),
  },
  table: {
    name: t`A table`,
    how: t`Fill in our table, one line for each subscription.`,
    accept: '.csv,.txt',
    read: async (texts) => {
      const { readTable } = await import('#domain/imports/tables.ts')
      return texts.flatMap(readTable)
    },
  },
}

/** Reads all rows of the files. Throws `Unreadable` with the reason. */
export async function readFiles(source: Source, files: readonly File[]): Promise<ImportedRow[]> {
  const texts = await Promise.all(files.map(async (file) => decode(new Uint8Array(await file.arrayBuffer()))))
  return readTexts(source, texts)
}

export async function readTexts(source: Source, texts: readonly string[]): Promise<ImportedRow[]> {
  const rows = await sources[source].read(texts)
  if (rows.length > LIMITS.mostImportedRows)
    throw new Unreadable(t`There are more than ${LIMITS.mostImportedRows} rows.`)
  if (rows.length === 0) throw new Unreadable(t`There is nothing in it.`)
  return rows
}
