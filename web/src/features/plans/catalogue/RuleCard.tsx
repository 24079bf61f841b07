import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { extraMembers, type SharedBy } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { catalogueQuery } from './catalogue.queries.ts'

const HOW: Record<SharedBy, string> = {
  invitation: 'Best shared by invitation from the provider. Everyone keeps their own account.',
  'extra-member': 'Best shared as a paid extra member. Everyone has their own sign-in.',
  login: 'Everyone uses the same login.',
}

interface RuleCardProps {
  provider: string
  /** The plan's name in the catalogue. */
  plan: string
  /** The size of the headings beside it. */
  heading?: 'h3' | 'h4'
}

/** What is known about how a provider lets people share, and plainly what is not. */
export function RuleCard({ provider: name, plan: planName, heading = 'h4' }: RuleCardProps) {
  const { data: providers } = useQuery(catalogueQuery)
  const provider = providers?.find((one) => one.name === name)
  if (!providers) return null
  const sharing = provider?.sharing ?? null
  const plan = provider?.plans.find((one) => one.name === planName)
  const extra = plan ? extraMembers(plan) : []
  return (
    <Card component="section" aria-label={`What ${name} allows`}>
      <Title order={2} size={heading} mb="sm">
        What {name} allows
      </Title>
      <Stack gap="xs">
        {sharing && (
          <Text>{sharing.how ? HOW[sharing.how] : 'We haven’t checked how best to share it.'}</Text>
        )}
        {!sharing && extra.length > 0 && <Text>Its price list names: {extra.join(', ')}.</Text>}
        {sharing ? (
          <Text>
            {sharing.terms}{' '}
            <Anchor href={sharing.source} target="_blank" rel="noopener noreferrer" inherit>
              Read the source
            </Anchor>
            . Last checked {fullDay(sharing.asOf)}; it may have changed.
          </Text>
        ) : (
          <Text>
            We have not checked how {name} is shared best, or what its terms say about households and regions.{' '}
            {provider?.website ? (
              <>
                Please read them at{' '}
                <Anchor href={provider.website} target="_blank" rel="noopener noreferrer" inherit>
                  {new URL(provider.website).host}
                </Anchor>{' '}
                first.
              </>
            ) : (
              'Please read them first.'
            )}
          </Text>
        )}
      </Stack>
    </Card>
  )
}
