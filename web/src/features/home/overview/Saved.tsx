import { Text } from '@mantine/core'
import { type SavedThisYear, savedWords } from '#domain/savings.ts'
import { LoneLink } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'

/** How much sharing has saved a person this year, and how that is calculated. */
export const Saved = ({ saved }: { saved: SavedThisYear }) => (
  <>
    <Money amount={saved.joined + saved.shared} fz={34} fw={700} ff="heading" lh={1.15} c="herb" />
    <Text size="sm" c="dimmed">
      {savedWords(saved)}.
    </Text>
    <LoneLink to="/savings-insights" size="sm">
      Savings Insights
    </LoneLink>
  </>
)
