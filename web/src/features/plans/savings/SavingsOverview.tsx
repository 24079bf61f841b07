import { t } from '@lingui/core/macro'
import { Badge, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Plan } from '#domain/plan.ts'
import { type SavedThisYear, savedWords, savingOfAll, totalSaved } from '#domain/savings.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Figures } from '#ui/Figures.tsx'
import { Money } from '#ui/Money.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { BeforeAfter } from './BeforeAfter.tsx'
import { BrowsePlansLink } from './BrowsePlansLink.tsx'
import classes from './SavingsOverview.module.css'

interface SavingsOverviewProps {
  /** The plans the person is a member of; only these save the person money. */
  joined: readonly Plan[]
  /** The number of plans the person shares; undefined until loaded. */
  owned: number | undefined
  /** Undefined until loaded. */
  year: SavedThisYear | undefined
}

/** The person's savings from sharing. */
export function SavingsOverview({ joined, owned, year }: SavingsOverviewProps) {
  const saving = savingOfAll(joined)
  if (joined.length === 0 && owned === 0 && !savedWords(year ?? { joined: 0, shared: 0 }))
    return (
      <EmptyState title={t`Nothing saved yet`} order={2} action={<BrowsePlansLink />}>
        {t`Join a plan to see what it saves you each month.`}
      </EmptyState>
    )
  return (
    <Stack gap="lg">
      <Figures component="div" columns={4}>
        <Figure
          title={t`Saved this year`}
          kind="saved"
          figure={year === undefined ? '…' : <Money amount={year.joined + year.shared} />}
        >
          {year === undefined ? t`Counting…` : savedWords(year) || t`Nothing yet`}
        </Figure>
        <Figure title={t`Shared plans`} figure={owned === undefined ? '…' : joined.length + owned}>
          {owned === undefined
            ? t`${{ joined: joined.length }} joined`
            : t`${{ joined: joined.length }} joined, ${owned} shared by you`}
        </Figure>
        <Figure title={t`Monthly savings`} figure={<Money amount={saving.saved} />}>
          {t`After the convenience fee`}
        </Figure>
        <Figure title={t`Total saved`} kind="estimate" figure={<Money amount={totalSaved(saving.saved)} />}>
          <Badge component="span" variant="light" color="honey" tt="none">
            {t`Six-month estimate`}
          </Badge>
        </Figure>
      </Figures>
      {joined.length > 0 && (
        <SurfaceCard component="section" aria-labelledby="before-after">
          <Title order={2} size="h3" id="before-after" mb="md">
            {t`Before and after`}
          </Title>
          <BeforeAfter saving={saving} />
        </SurfaceCard>
      )}
    </Stack>
  )
}

interface FigureProps {
  title: string
  figure: ReactNode
  /** Money that was saved, in green, or a figure that is only an estimate, in grey. */
  kind?: 'saved' | 'estimate'
  children: ReactNode
}

function Figure({ title, figure, kind, children }: FigureProps) {
  return (
    <section aria-label={title}>
      <Title order={2} fz="sm" c="dimmed">
        {title}
      </Title>
      <Text className={classes.figure} data-kind={kind}>
        {figure}
      </Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </section>
  )
}
