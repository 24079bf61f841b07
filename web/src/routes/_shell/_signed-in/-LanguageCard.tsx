import { t } from '@lingui/core/macro'
import { Stack, Text } from '@mantine/core'
import { languages } from '#lib/language.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { LanguageSelect } from '../../-shell/LanguageSelect.tsx'

/** The language setting. */
export function LanguageCard({ userId }: { userId: string }) {
  if (languages.length < 2) return null
  return (
    <SectionCard titleId="language-title" title={t`Language`}>
      <Stack gap="md" maw={320}>
        <Text>{t`For every page, and for what we email you.`}</Text>
        <LanguageSelect userId={userId} quiet />
      </Stack>
    </SectionCard>
  )
}
