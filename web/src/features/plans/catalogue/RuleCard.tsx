import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { extraMembers, type SharedBy, type SharedWith, type SharingRules } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { listOf } from '#domain/lists.ts'
import { catalogueQuery } from './catalogue.queries.ts'
import { useCatalogueText } from './catalogue-text.ts'

const HOW: Record<SharedBy, string> = {
  invitation: t`Best shared by invitation from the provider. Everyone keeps their own account.`,
  'extra-member': t`Best shared as a paid extra member. Everyone has their own sign-in.`,
  login: t`Everyone uses the same login.`,
}

const WITH: Record<NonNullable<SharedWith>, string> = {
  anyone: t`You can share it with anyone.`,
  'people-you-know': t`Meant for family and people you know.`,
  household: t`Meant for people you live with.`,
}

const CHECKS: Record<SharingRules['checks'][number], string> = {
  address: t`It checks home addresses.`,
  location: t`It checks where devices are.`,
  code: t`It sends codes to the owner’s address.`,
}

/** What may happen to a place: how it is checked, and for how long its person cannot change groups. */
const troubles = ({ checks, noticeDays, lockInMonths }: SharingRules): string[] => [
  ...checks.map((check) => CHECKS[check]),
  ...(noticeDays
    ? [t`After a warning, ${plural(noticeDays, { one: '# day', other: '# days' })} are left.`]
    : []),
  ...(lockInMonths ? [t`Members can change groups once in ${lockInMonths} months.`] : []),
]

interface RuleCardProps {
  provider: string
  /** The plan's name in the catalogue. */
  plan: string
  /** The level of the card's heading, to match its neighbours. */
  heading?: 'h3' | 'h4'
}

/** The provider's rules for sharing, and the points that are unknown. */
export function RuleCard({ provider: name, plan: planName, heading = 'h4' }: RuleCardProps) {
  const { data: providers } = useQuery(catalogueQuery)
  const provider = providers?.find((one) => one.name === name)
  const text = useCatalogueText()
  if (!providers || !text) return null
  const sharing = provider?.sharing ?? null
  const plan = provider?.plans.find((one) => one.name === planName)
  const extra = plan ? extraMembers(plan) : []
  return (
    <Card component="section" aria-label={t`What ${name} allows`}>
      <Title order={2} size={heading} mb="sm">
        <Trans>What {name} allows</Trans>
      </Title>
      <Stack gap="xs">
        {sharing && (
          <>
            <Text fw={600}>
              {sharing.with ? WITH[sharing.with] : t`Its terms don’t say with whom you can share it.`}
            </Text>
            <Text>{sharing.how ? HOW[sharing.how] : t`We haven’t checked how best to share it.`}</Text>
            {troubles(sharing).length > 0 && <Text>{troubles(sharing).join(' ')}</Text>}
          </>
        )}
        {!sharing && extra.length > 0 && (
          <Text>
            <Trans>Its price list names: {listOf(extra.map(text))}.</Trans>
          </Text>
        )}
        {sharing ? (
          <Text>
            <Trans>
              {text(sharing.terms)}{' '}
              <Anchor href={sharing.source} target="_blank" rel="noopener noreferrer" inherit>
                Read the source
              </Anchor>
              . Last checked {fullDay(sharing.asOf)}; it may have changed.
            </Trans>
          </Text>
        ) : (
          <Text>
            <Trans>
              We have not checked how {name} is shared best, or what its terms say about households and
              regions.
            </Trans>{' '}
            {provider?.website ? (
              <Trans>
                Please read them at{' '}
                <Anchor href={provider.website} target="_blank" rel="noopener noreferrer" inherit>
                  {new URL(provider.website).host}
                </Anchor>{' '}
                first.
              </Trans>
            ) : (
              t`Please read them first.`
            )}
          </Text>
        )}
      </Stack>
    </Card>
  )
}
