/** What the page "How It Works" says. */
export const steps = [
  {
    title: 'Bring a plan, or find one',
    text: 'Owners pick their service from the catalogue and open as many places as they like. Everyone else browses what is on the table.',
  },
  {
    title: 'Ask for a place',
    text: 'Send a request with a few words about yourself. The owner has 48 hours to say yes, and you can take it back until then.',
  },
  {
    title: 'Share and save',
    text: 'Members pay their share, owners earn coins for it. You talk things over in a chat of your own.',
  },
]

export const benefits = [
  { title: 'A fair price', text: "The provider's price divided by its places. Nobody sets their own." },
  {
    title: 'People you choose',
    text: 'Owners approve every member, and either side can leave when it no longer fits.',
  },
  {
    title: 'No passwords here',
    text: 'Potluck keeps a login name at most. A password passes only between the two of you.',
  },
  {
    title: 'Coins for owners',
    text: 'One coin for every euro a member pays for their share, and one euro for every coin.',
  },
]

export const questions = [
  {
    question: 'How much can I save?',
    answer:
      'On average people save 65-80 percent of what the same plan costs alone. It depends on how many places the plan has: four people pay about a quarter each, six pay about a sixth, plus the convenience fee.',
  },
  {
    question: 'What is the convenience fee?',
    answer:
      'Members pay 10 percent on top of their share. It keeps Potluck running. Every price you see as a member already includes it, so there is nothing to add.',
  },
  {
    question: 'What does an owner get?',
    answer:
      'One coin for every euro of the shares their members pay. From 20 coins on, an owner can ask for them to be paid out; that is done by hand within 1-3 business days.',
  },
  {
    question: 'How do I get into the shared account?',
    answer:
      'The owner writes down the login name, which only members can see. For the password, ask the owner in the chat. Potluck never stores one.',
  },
  {
    question: 'What happens to my request?',
    answer:
      'The owner sees it at once and can approve or reject it for 48 hours. After that it expires, and you are free to ask again or to look elsewhere.',
  },
  {
    question: 'My service is not in the catalogue. What now?',
    answer:
      'Tell us which one is missing and what its plans cost. We check new services within 3-5 business days. Please share only what the terms of your provider allow.',
  },
]
