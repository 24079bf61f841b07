import { t } from '@lingui/core/macro'
import { Box, Title } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import type { SavedThisYear } from '#domain/savings.ts'
import { LinkAnchor } from '#ui/links.tsx'

/** The money that a person has saved by sharing this year, linked to Savings Insights, which explains it. */
export function SavingsSummary({ saved }: { saved: SavedThisYear }) {
  const figure = formatMoney(saved.joined + saved.shared)
  return (
    <Box component="section" aria-labelledby="saved-title" ta={{ base: 'start', md: 'end' }}>
      <Title order={2} fz="sm" fw={550} ff="text" c="dimmed" id="saved-title">
        {t`Saved this year`}
      </Title>
      <LinkAnchor
        to="/savings-insights"
        aria-label={t`Savings Insights: ${figure}`}
        display="block"
        fz={34}
        fw={700}
        ff="heading"
        lh="44px"
        c="herb"
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {figure}
      </LinkAnchor>
    </Box>
  )
}
