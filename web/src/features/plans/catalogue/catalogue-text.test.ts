import { join } from 'node:path'
import { expect, test } from 'vitest'
import { idOf } from '#lib/message-id.ts'
import { CATALOGUE_LOCALES, catalogueMessages } from '../../../../build/language/catalogue-messages.ts'
import { languages, readCatalog } from '../../../../build/language/languages.ts'

const texts = Object.values(catalogueMessages()).map(({ message = '' }) => message)

test('every text of the catalogue is translated; a sentence is never left in English', () => {
  expect(texts.filter((text) => /household/.test(text)).length).toBeGreaterThan(0)
  const missing = languages().flatMap((language) => {
    const known = readCatalog(join(CATALOGUE_LOCALES, `${language}.po`))
    return texts.flatMap((text) => {
      const said = known[idOf(text)]?.join('')
      return !said || (text.endsWith('.') && said === text) ? `${language}: ${text}` : []
    })
  })
  expect(missing).toEqual([])
})
