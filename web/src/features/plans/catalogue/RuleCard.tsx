import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { extraMembers, type SharedBy } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { catalogueQuery } from './catalogue.queries.ts'

const HOW: Record<SharedBy, string> = {
  invitation:
    'It is shared best by an invitation that the provider sends: everyone keeps an account of their own.',
  'extra-member':
    'It is shared best with an extra member, whom the provider charges for: everyone signs in for themselves.',
  login: 'It is shared with one login that everyone uses.',
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
          <Text>{sharing.how ? HOW[sharing.how] : 'We have not checked how it is shared best.'}</Text>
        )}
        {!sharing && extra.length > 0 && <Text>Its price list names: {extra.join(', ')}.</Text>}
        {sharing ? (
          <Text>
            {sharing.terms}{' '}
            <Anchor href={sharing.source} target="_blank" rel="noopener noreferrer" inherit>
              Where this is written
            </Anchor>
            . What we know of it is from {fullDay(sharing.asOf)}; it may have changed.
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
