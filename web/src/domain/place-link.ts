/** The link with which a guest opens their place. The secret is in the fragment, which browsers send to no server. */
export const placeLink = (secret: string): string => `${location.origin}/place#${secret}`
